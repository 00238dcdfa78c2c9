import path from 'node:path';
import fc from 'fast-check';
import { readParts, type Part } from '../../../../src/modules/content-negotiation/multipart/parts';
import { Problem } from '../../../../src/platform';
import { runMemoryScript } from '../../../factories/measure/memory-script';
import { fieldPart, filePart, writeParts, type WrittenPart } from '../../../factories/http/multipart';

async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function contentOf({ content }: Part): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}

/** Returns the parts of a body, or the status of the problem with it. */
async function read(bytes: Buffer, sizes: readonly number[] = [65_536]): Promise<unknown> {
  const parts: { disposition: string | undefined; content: string }[] = [];
  try {
    await readParts(inChunks(bytes, sizes), 'edge', async (part) => {
      const at = parts.push({ disposition: part.fields.get('content-disposition'), content: '' }) - 1;
      const content = (await contentOf(part)).toString('latin1');
      parts[at] = { disposition: part.fields.get('content-disposition'), content };
    });
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
  return parts;
}

const expected = (parts: readonly WrittenPart[]): unknown =>
  parts.map(({ head: [line = ''], content }) => ({
    disposition: line.slice('Content-Disposition: '.length),
    content: Buffer.from(content).toString('latin1'),
  }));

const anyPart: fc.Arbitrary<WrittenPart> = fc
  .tuple(
    fc.stringMatching(/^[a-z]{1,8}$/),
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('\r\n', '--edge', '\r\n--edg', '-', '').map((text) => Buffer.from(text)),
    ),
  )
  .map(([name, bytes]) => filePart(name, 'x', Buffer.from(bytes)))
  // Content must not contain a boundary at the start of a line.
  .filter(({ content }) => !`\r\n${content.toString('latin1')}`.includes('\r\n--edge'));
const anySizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });

describe('the parts of a multipart body', () => {
  it('are read completely, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPart, { maxLength: 8 }), anySizes, async (parts, sizes) => {
        expect(await read(writeParts(parts), sizes)).toEqual(expected(parts));
      }),
      { numRuns: 200 },
    );
  });

  it('are rejected with 400 if the body is truncated anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPart, { minLength: 1, maxLength: 4 }),
        anySizes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (parts, sizes, share) => {
          const whole = writeParts(parts);
          // Without the last dashes, the body is not terminated.
          const end = Math.floor(share * (whole.length - '--\r\n'.length));
          expect(await read(whole.subarray(0, end), sizes)).toBe(400);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('of random bytes are rejected or empty', async () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('--edge', '\r\n', ':', 'content-disposition', '--', '\r\n\r\n', ' ')
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 20 }), anySizes, async (pieces, sizes) => {
        const answer = await read(Buffer.concat(pieces), sizes);
        expect(answer === 400 || Array.isArray(answer)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['none', '', '', ''],
    ['the first one', ' \t', '', ''],
    ['one between parts', '', '\t \t', ''],
    ['the last one', '', '', ' '],
    ['all', ' ', '\t', ' \t'],
  ])('may have padding behind their boundaries: %s', async (_, first, second, last) => {
    const field = (name: string): string => `Content-Disposition: form-data; name="${name}"\r\n\r\n`;
    const body = `--edge${first}\r\n${field('a')}--edg \r\n\r\n--edge${second}\r\n${field('b')}2\r\n--edge--${last}\r\n`;
    for (const size of [1, 2, 3, 7, 8, 9, 1_000])
      expect([size, await read(Buffer.from(body), [size])]).toEqual([
        size,
        [
          { disposition: 'form-data; name="a"', content: '--edg \r\n' },
          { disposition: 'form-data; name="b"', content: '2' },
        ],
      ]);
  });

  it('are rejected with 400 for a boundary with other text behind it, or with endless padding', async () => {
    const bodyWith = (text: string): Buffer =>
      Buffer.from(`--edge\r\nA: 1\r\n\r\n1\r\n--edge${text}\r\nmore\r\n--edge--\r\n`);
    for (const text of [' x', '\tx\t', 'x ', ' '.repeat(100_000)])
      for (const size of [1_000, 65_536]) expect(await read(bodyWith(text), [size])).toBe(400);
  });

  it.each(['\n', ' \n', '\r', '\r\r\n', 'x: 1\r\n', ': 1\r\n', '-\r\n', '-x: 1\r\n', ' --\r\n'])(
    'are rejected with 400 for a boundary that its line break does not follow: %j',
    async (text) => {
      const field = 'Content-Disposition: form-data; name="a"\r\n';
      for (const before of ['', `--edge\r\n${field}\r\n1\r\n`])
        for (const size of [1, 2, 1_000]) {
          const body = `${before}--edge${text}${field}${field}\r\n1\r\n--edge--\r\n`;
          expect([size, await read(Buffer.from(body), [size])]).toEqual([size, 400]);
        }
    },
  );

  it('may be followed by anything behind the last boundary', async () => {
    const parts = [fieldPart('a', '1')];
    const body = Buffer.concat([writeParts(parts), Buffer.from('x\r\n--edge\nmore\r\n--edge')]);
    for (const size of [1, 2, 1_000]) expect(await read(body, [size])).toEqual(expected(parts));
  });

  it('keep nothing for each chunk in which they arrive', async () => {
    const { grown } = await runMemoryScript(path.join(__dirname, 'parts-memory.mjs'));
    // It was 300 bytes for each.
    expect(grown).toBeLessThan(200_000 * 20);
  });

  it('larger than all buffers apply backpressure', async () => {
    const parts = [
      filePart('a', 'a', Buffer.alloc(1_000_000, 1)),
      filePart('b', 'b', Buffer.alloc(1_000_000, 2)),
    ];
    expect(await read(writeParts(parts), [65_536])).toEqual(expected(parts));
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'with a header field named %s are read or rejected with 400',
    async (name) => {
      const parts = [fieldPart('a', '1', `${name}: x`)];
      expect([JSON.stringify(400), JSON.stringify(expected(parts))]).toContain(
        JSON.stringify(await read(writeParts(parts))),
      );
    },
  );

  it.each([
    ['without a header', Buffer.from('--edge\r\n\r\n--edge--\r\n')],
    [
      'with an unterminated header',
      Buffer.from('--edge\r\nContent-Disposition: form-data; name="a"\r\n--edge--\r\n'),
    ],
    ['with a header of 64 KB', writeParts([fieldPart('a', '1', `X-Pad: ${'x'.repeat(65_536)}`)])],
    [
      'with more header fields than are read',
      writeParts([fieldPart('a', '1', ...Array.from({ length: 100 }, (_, at) => `X-${at}: a`))]),
    ],
    ['with a header that is not UTF-8', Buffer.from(writeParts([fieldPart('é', '1')]).toString(), 'latin1')],
    ['of an empty body', Buffer.alloc(0)],
    [
      'with a header line without a colon',
      writeParts([fieldPart('a', '1', 'nonsense', 'Content-Type: a/b')]),
    ],
    [
      'with a header line that begins with a colon',
      writeParts([fieldPart('a', '1', ': x', 'Content-Type: a/b')]),
    ],
    ['with 9 KB of lines without a colon', writeParts([fieldPart('a', '1', 'x'.repeat(9_000))])],
    ['with a header value with a line feed', writeParts([fieldPart('a', '1', 'X-A: b\nContent-Type: a/b')])],
    ['with two dispositions', writeParts([fieldPart('a', '1', 'content-disposition: form-data; name="b"')])],
  ])('%s are rejected with 400', async (_, bytes) => {
    expect(await read(bytes)).toBe(400);
  });

  it('with folded header fields are read, in chunks of any size', async () => {
    const parts = [fieldPart('a', '1', 'X-Note: a', ' b', 'Content-Type: text/plain')];
    for (const size of [1, 2, 7, 1_000])
      expect(await read(writeParts(parts), [size])).toEqual(expected(parts));
  });

  it('with 100 header fields are read', async () => {
    const parts = [fieldPart('a', '1', ...Array.from({ length: 99 }, (_, at) => `X-${at}: a`))];
    expect(await read(writeParts(parts))).toEqual(expected(parts));
  });

  it('reject with the error of the consumer', async () => {
    const parts = [filePart('a', 'a', Buffer.alloc(500_000)), filePart('b', 'b', Buffer.alloc(500_000))];
    const reading = readParts(inChunks(writeParts(parts), [10_000]), 'edge', async ({ content }) => {
      await content.iterator({ destroyOnReturn: false }).next();
      throw new Error('The disk is full.');
    });
    await expect(reading).rejects.toThrow('The disk is full.');
  });

  it('reject with the error of the body', async () => {
    async function* breaking(): AsyncGenerator<Buffer> {
      yield writeParts([filePart('a', 'a', Buffer.alloc(500_000))]).subarray(0, 300_000);
      await Promise.resolve();
      throw new Error('The client left.');
    }
    const reading = readParts(breaking(), 'edge', async (part) => {
      await contentOf(part);
    });
    await expect(reading).rejects.toThrow('The client left.');
  });
});
