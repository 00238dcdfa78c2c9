import fc from 'fast-check';
import { memberAt, parsePointer } from '../../../../src/framework';
import { roundedNumbers } from '../../../../src/modules/content-negotiation/json-text/rounded-numbers';

const pointersIn = (text: string): readonly string[] => roundedNumbers(Buffer.from(text));

/** A number with more digits than a double. */
const LONG = '0.12345678901234567890';

describe('the numbers of a body that were rounded', () => {
  it.each([
    ['1', []],
    [LONG, ['']],
    [`{"a":${LONG},"b":[1,-${LONG},{"c/d":1e400}]}`, ['/a', '/b/1', '/b/2/c~1d']],
    [`{"a":"${LONG}","${LONG}":1,"\\"${LONG}":"x"}`, []],
    [`{"ü":"12345678901234567890","é":[12345678901234567891]}`, ['/é/0']],
    ['[0.30000000000000004,1.7976931348623157e+308,9007199254740992]', []],
    [`[${`${LONG},`.repeat(20)}0]`, Array.from({ length: 10 }, (_, at) => `/${at}`)],
  ])('of %s are named by pointers', (text, pointers) => {
    expect(pointersIn(text)).toEqual(pointers);
  });

  it('are none in what JavaScript has formatted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        expect(pointersIn(JSON.stringify(value, null, indent))).toEqual([]);
      }),
    );
  });

  it('are found wherever they are', () => {
    const parts = fc.array(fc.oneof(fc.string(), fc.nat(20)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(parts, fc.jsonValue(), (path, other) => {
        const text = path.reduceRight<string>(
          (inner, key) =>
            typeof key === 'string'
              ? `{"other text":${JSON.stringify(other)},${JSON.stringify(`.${key}`)}: ${inner}}`
              : `[${`${JSON.stringify(other)},`.repeat(key)}${inner}]`,
          LONG,
        );
        const [pointer = ''] = pointersIn(text);
        expect(memberAt(JSON.parse(text), parsePointer(pointer))).toBe(Number(LONG));
      }),
    );
  });
});
