import { fullFormats } from 'ajv-formats/dist/formats';
import fc from 'fast-check';
import { formatCheck, formats, Validators } from '../../../../src/modules/content-validation';
import { growthOf } from '../../../factories/measure/cpu-time';

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

describe('the format byte', () => {
  const validate = new Validators().forBody({ type: 'string', format: 'byte' });
  const accepts = (text: string): boolean => 'value' in validate(text);
  const check = formatCheck('byte') as (text: string) => boolean;

  describe.each([
    ['a validator', accepts],
    ['generated code', check],
  ])('of %s', (_, isAccepted) => {
    it('accepts the texts without line breaks that ajv-formats accepts', () => {
      const part = fc.constantFrom('A', 'b', '9', '+', '/', '=', '==', 'AAAA', '-', '!', 'é');
      fc.assert(
        fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
          expect(isAccepted(parts.join(''))).toBe(
            (fullFormats.byte as (text: string) => boolean)(parts.join('')),
          );
        }),
        { numRuns: 1000 },
      );
    });

    it.each(['not base64!\n', '<script>\nAAAA', 'a\n\nb', 'AAAA\n', '\nAAAA', 'AAAA\r\nAAAA'])(
      'refuses %j',
      (text) => {
        expect(isAccepted(text)).toBe(false);
      },
    );

    it('checks ten megabytes', () => {
      const file = Buffer.alloc(10_000_000, 7).toString('base64');
      expect([file, `${file}!AAA`].map(isAccepted)).toEqual([true, false]);
    });
  });
});
