import fc from 'fast-check';
import path from 'node:path';
import { detachString } from '../../../../src/modules/mvc-auth/http/detach-string';
import { runMemoryScript } from '../../../factories/measure/memory-script';
import { anyText } from '../../../factories/any-text';

describe('the memory that a substring retains', () => {
  let held: Record<string, number> = {};
  let texts = 0;
  beforeAll(async () => {
    ({ texts = 0, ...held } = await runMemoryScript(path.join(__dirname, 'retained-memory.mjs')));
  });

  it('is the whole string, unless the substring is copied', () => {
    expect(held.substring).toBeGreaterThan(texts / 2);
    expect(held.copy).toBeLessThan(texts / 20);
  });

  it.each(['a verified nonce', 'a target', 'a verified user name'])(
    'is the substring alone for %s',
    (store) => {
      expect(held[store]).toBeLessThan(texts / 20);
    },
  );
});

describe('a detached string', () => {
  it('equals the original', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.string()), (text) => {
        expect(detachString(text)).toBe(text);
        expect(detachString(text.slice(1))).toBe(text.slice(1));
      }),
    );
    for (const text of ['', '\u00ff', '\u0100', '\ud800', 'Jäs \u{1f600}'])
      expect(detachString(text)).toBe(text);
  });
});
