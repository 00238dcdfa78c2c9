import * as fc from 'fast-check';
import { addressOfNode, parseForwarded } from '../../../../src/framework/http/proxies/forwarded';

const pairsOf = (line: string): (readonly (readonly [string, string])[])[] | undefined =>
  parseForwarded(line)?.map(({ parameters }) => [...parameters]);

const TOKEN_CHARACTERS = Array.from("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz");
const token = fc
  .array(fc.constantFrom(...TOKEN_CHARACTERS), { minLength: 1, maxLength: 8 })
  .map((all) => all.join(''));
const text = fc
  .array(fc.integer({ min: 0x20, max: 0x7e }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes));
const value = fc.oneof(
  token.map((plain) => ({ plain, written: plain })),
  text.map((plain) => ({ plain, written: `"${plain.replace(/["\\]/g, '\\$&')}"` })),
);
const element = fc.uniqueArray(fc.tuple(token, value), {
  minLength: 1,
  maxLength: 4,
  selector: ([name]) => name,
});

describe('A line of Forwarded', () => {
  it.each<[string, [string, string][][]]>([
    ['for="_gazonk"', [[['for', '_gazonk']]]],
    ['For="[2001:db8:cafe::17]:4711"', [[['for', '[2001:db8:cafe::17]:4711']]]],
    [
      'for=192.0.2.60;proto=http;by=203.0.113.43',
      [
        [
          ['for', '192.0.2.60'],
          ['proto', 'http'],
          ['by', '203.0.113.43'],
        ],
      ],
    ],
    ['for=192.0.2.43, for=198.51.100.17', [[['for', '192.0.2.43']], [['for', '198.51.100.17']]]],
    ['for="a,b;c\\"d\\\\"', [[['for', 'a,b;c"d\\']]]],
    [',, for=a ,\t, for=b,', [[['for', 'a']], [['for', 'b']]]],
    ['for=""', [[['for', '']]]],
    ['', []],
  ])('has the elements of %j', (line, expected) => {
    expect(pairsOf(line)).toEqual(expected);
  });

  it.each([
    'for',
    'for=',
    '=a',
    'for=a;',
    ';for=a',
    'for=a;;proto=http',
    'for="a',
    'for=a"',
    'for="a"b',
    'for = a',
    'for=a b',
    'for=[::1]',
    'for=192.0.2.7:80',
    'for=a;for=b',
    'for=a;FOR=a',
    'for="a\u0001"',
    'for=ä',
  ])('is malformed: %j', (line) => {
    expect(parseForwarded(line)).toBeUndefined();
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 5 }), (elements) => {
        const line = elements
          .map((pairs) => pairs.map(([name, { written }]) => `${name}=${written}`).join(';'))
          .join(', ');
        expect(pairsOf(line)).toEqual(
          elements.map((pairs) => pairs.map(([name, { plain }]) => [name, plain])),
        );
      }),
    );
  });

  it('never throws', () => {
    const part = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom('for=', '"', '\\', ';', ',', 'for=a', ' ', '\t'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        parseForwarded(parts.join(''));
        addressOfNode(parts.join(''));
      }),
    );
  });
});

describe('The address of a node', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['192.0.2.7:_port', '192.0.2.7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['unknown', undefined],
    ['_hidden', undefined],
    ['_SEVKISEK:1', undefined],
    ['256.0.0.1', undefined],
    ['192.0.2.7:', undefined],
    ['192.0.2.7:123456', undefined],
    ['[192.0.2.7]', undefined],
    ['[2001:db8::7', undefined],
    ['a:192.0.2.7', undefined],
    ['[[::1]]', undefined],
    ['localhost', undefined],
    ['127.1', undefined],
    ['0x7f000001', undefined],
    ['', undefined],
  ])('of %j is %j', (node, expected) => {
    expect(addressOfNode(node)).toBe(expected);
  });
});
