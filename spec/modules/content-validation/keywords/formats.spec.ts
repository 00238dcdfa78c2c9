import { fullFormats } from 'ajv-formats/dist/formats';
import fc from 'fast-check';
import { formatCheck, formats, Validators } from '../../../../src/modules/content-validation';
import { growthOf } from '../../../factories/cpu-time';

it('lists every format that the validator supports', () => {
  expect(formats).toEqual(Object.keys(fullFormats).sort());
});

describe('the format url', () => {
  const validate = new Validators().forBody({ type: 'string', format: 'url' });
  const accepts = (text: string): boolean => 'value' in validate(text);

  it('accepts the same as that of ajv-formats', () => {
    const part = fc.constantFrom(
      'http://',
      'a',
      '.',
      'de',
      ':',
      '80',
      '@',
      '/',
      'ä',
      '-',
      ' ',
      '10.0.0.1',
      '8.8.8.8',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        for (const text of [
          parts.join(''),
          `http://${parts.join('')}`,
          `http://${parts.join('')}@example.com/`,
        ])
          expect(accepts(text)).toBe((fullFormats.url as RegExp).test(text));
      }),
      { numRuns: 1000 },
    );
  });

  // Of query parameters and responses, generated code checks it.
  const check = formatCheck('url') as (text: string) => boolean;

  describe.each([
    ['a validator', accepts],
    ['generated code', check],
  ])('of %s', (_, isAccepted) => {
    it.each([':', '@', ':@', 'a.', 'a-'])('takes linear time for %j', (part) => {
      // Quadratic time would be 256 times as long.
      expect(growthOf((length) => isAccepted(`http://${part.repeat(length)}!`), 500, 8_000)).toBeLessThan(64);
    });
  });
});
