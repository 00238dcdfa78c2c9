import * as fc from 'fast-check';
import { isIP } from 'node:net';
import { parseProxyHeader } from '../../../../src/framework/http/connections/proxy-protocol';

const SIGNATURE = '0d0a0d0a000d0a515549540a';
const SAMPLE = Buffer.from('GET / HTTP/1.1\r\n\r\n');

/** A header of version 2. @param bytes addresses and additional data */
function v2(command: number, family: number, bytes: Buffer, length = bytes.length): Buffer {
  const head = Buffer.alloc(16);
  head.write(SIGNATURE, 'hex');
  head.writeUInt8(command, 12);
  head.writeUInt8(family, 13);
  head.writeUInt16BE(length, 14);
  return Buffer.concat([head, bytes]);
}

const ipv4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
const port = fc.integer({ min: 0, max: 65_535 });
const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
const plainIpv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((all) => all.join('.'));

describe('A header of the PROXY protocol, version 1', () => {
  it.each([
    ['PROXY TCP4 192.0.2.7 198.51.100.1 4711 443\r\n', { address: '192.0.2.7', port: 4711 }],
    ['PROXY TCP6 2001:db8::7 ::1 65535 0\r\n', { address: '2001:db8::7', port: 65_535 }],
    ['PROXY UNKNOWN\r\n', undefined],
    ['PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n', undefined],
  ])('%j names the client', (line, client) => {
    expect(parseProxyHeader(Buffer.concat([Buffer.from(line), SAMPLE]))).toEqual({
      kind: 'header',
      length: line.length,
      client,
    });
  });

  it.each([
    'GET / HTTP/1.1\r\n\r\n',
    'proxy TCP4 192.0.2.7 198.51.100.1 4711 443\r\n',
    'PROXY  TCP4 192.0.2.7 198.51.100.1 4711 443\r\n',
    'PROXY TCP4 192.0.2.7 198.51.100.1 4711\r\n',
    'PROXY TCP4 192.0.2.7 198.51.100.1 4711 443 \r\n',
    'PROXY TCP4 192.0.2.7 198.51.100.1 04711 443\r\n',
    'PROXY TCP4 192.0.2.7 198.51.100.1 65536 443\r\n',
    'PROXY TCP4 192.0.2.7 198.51.100.1 -1 443\r\n',
    'PROXY TCP4 192.0.2.07 198.51.100.1 1 443\r\n',
    'PROXY TCP4 2001:db8::7 ::1 1 443\r\n',
    'PROXY TCP6 192.0.2.7 192.0.2.8 1 443\r\n',
    'PROXY TCP6 [2001:db8::7] ::1 1 443\r\n',
    'PROXY TCP5 192.0.2.7 198.51.100.1 4711 443\r\n',
    'PROXY UNKNOWNX\r\n',
    `PROXY UNKNOWN ${'a'.repeat(100)}\r\n`,
    'PROXY\r\n',
    'X',
  ])('%j is malformed', (line) => {
    expect(parseProxyHeader(Buffer.from(line)).kind).toBe('malformed');
  });

  it('is read from its parts, and no further', () => {
    fc.assert(
      fc.property(plainIpv4, plainIpv4, port, port, (source, destination, from, to) => {
        const line = Buffer.from(`PROXY TCP4 ${source} ${destination} ${from} ${to}\r\n`);
        for (let end = 0; end < line.length; end++)
          expect(parseProxyHeader(line.subarray(0, end))).toEqual({ kind: 'incomplete' });
        expect(parseProxyHeader(Buffer.concat([line, SAMPLE]))).toEqual({
          kind: 'header',
          length: line.length,
          client: { address: source, port: from },
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('A header of the PROXY protocol, version 2', () => {
  it('names an IPv4 client, whatever additional data follows', () => {
    fc.assert(
      fc.property(plainIpv4, port, fc.uint8Array({ maxLength: 200 }), (address, from, more) => {
        const rest = Buffer.alloc(8);
        rest.writeUInt16BE(from, 4);
        const header = v2(0x21, 0x11, Buffer.concat([ipv4Bytes(address), rest, Buffer.from(more)]));
        for (let end = 0; end < header.length; end++)
          expect(parseProxyHeader(header.subarray(0, end))).toEqual({ kind: 'incomplete' });
        expect(parseProxyHeader(Buffer.concat([header, SAMPLE]))).toEqual({
          kind: 'header',
          length: header.length,
          client: { address, port: from },
        });
      }),
      { numRuns: 50 },
    );
  });

  it('names an IPv6 client', () => {
    fc.assert(
      fc.property(groups, port, (words, from) => {
        const bytes = Buffer.alloc(36);
        for (const [at, word] of words.entries()) bytes.writeUInt16BE(word, 2 * at);
        bytes.writeUInt16BE(from, 32);
        const parsed = parseProxyHeader(v2(0x21, 0x21, bytes));
        const client = parsed.kind === 'header' ? parsed.client : undefined;
        expect(isIP(client?.address ?? '')).toBe(6);
        const expected = new URL(`http://[${words.map((word) => word.toString(16)).join(':')}]`).hostname;
        expect([`[${client?.address}]`, client?.port]).toEqual([expected, from]);
      }),
    );
    const mapped = Buffer.alloc(36);
    mapped.write('00000000000000000000ffffc0000207', 'hex');
    expect(parseProxyHeader(v2(0x21, 0x21, mapped))).toMatchObject({ client: { address: '192.0.2.7' } });
  });

  it.each([
    ['a health check of the proxy', v2(0x20, 0x00, Buffer.alloc(0))],
    ['a health check with addresses', v2(0x20, 0x11, Buffer.alloc(12, 1))],
    ['an unspecified family', v2(0x21, 0x00, Buffer.alloc(7))],
    ['a UNIX socket', v2(0x21, 0x31, Buffer.alloc(216, 0x61))],
  ])('names no client: %s', (_, header) => {
    expect(parseProxyHeader(header)).toEqual({ kind: 'header', length: header.length, client: undefined });
  });

  it.each([
    ['another version', v2(0x11, 0x11, Buffer.alloc(12))],
    ['an unknown command', v2(0x22, 0x11, Buffer.alloc(12))],
    ['an unknown family', v2(0x21, 0x41, Buffer.alloc(12))],
    ['an unknown transport', v2(0x21, 0x13, Buffer.alloc(12))],
    ['a family without a transport', v2(0x21, 0x10, Buffer.alloc(12))],
    ['a transport without a family', v2(0x21, 0x01, Buffer.alloc(12))],
    ['too few bytes for IPv4', v2(0x21, 0x11, Buffer.alloc(11))],
    ['too few bytes for IPv6', v2(0x21, 0x21, Buffer.alloc(35))],
    ['too few bytes for UNIX', v2(0x21, 0x31, Buffer.alloc(215))],
    ['too many bytes', v2(0x21, 0x11, Buffer.alloc(12), 8_193)],
  ])('is malformed with %s', (_, header) => {
    expect(parseProxyHeader(header).kind).toBe('malformed');
  });
});

describe('The first bytes of a connection', () => {
  it('never cause an error, and further bytes change neither a header nor a malformed one', () => {
    const start = fc.constantFrom(
      '',
      'PROXY ',
      'PROXY TCP4 ',
      'PROXY UNKNOWN',
      '\r\n\r\n\0\r\nQUIT\n',
      '\r\n\r',
    );
    const bytes = fc.tuple(start, fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(bytes, fc.uint8Array({ maxLength: 50 }), ([text, rest], more) => {
        const first = Buffer.concat([Buffer.from(text, 'latin1'), rest]);
        const parsed = parseProxyHeader(first);
        if (parsed.kind !== 'incomplete')
          expect(parseProxyHeader(Buffer.concat([first, more]))).toEqual(parsed);
      }),
      { numRuns: 1_000 },
    );
  });
});
