import fc from 'fast-check';
import { createKey, keyIdOf } from '../../../../src/modules/mvc-auth/api-keys/key-format';
import { anyText } from '../../../factories/any-text';

describe('a key', () => {
  it('begins with its prefix, and with what identifies it', () => {
    const { key, id } = createKey('shop');
    expect(key).toMatch(/^shop_[0-9A-Za-z]{44}$/);
    expect(id).toBe(key.slice(0, 'shop_'.length + 8));
    expect(keyIdOf(key)).toBe(id);
    expect(createKey().key).toMatch(/^apidesc_/);
  });

  it('is never the same, and uses every character', () => {
    const keys = Array.from({ length: 500 }, () => createKey().key);
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.flatMap((key) => key.slice(8, -6).match(/./g) ?? [])).size).toBe(62);
  });

  it('is recognized by its checksum: no typing error passes', () => {
    const character = fc.stringMatching(/^[0-9A-Za-z_-]$/);
    fc.assert(
      fc.property(fc.nat(51), character, (at, typed) => {
        const { key } = createKey();
        const changed = key.slice(0, at) + typed + key.slice(at + 1);
        expect(keyIdOf(changed) === undefined).toBe(changed !== key);
        const swapped = key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2);
        expect(keyIdOf(swapped) === undefined).toBe(swapped !== key);
      }),
      { numRuns: 500 },
    );
  });

  it('is not any other text', () => {
    fc.assert(fc.property(anyText(), (text) => keyIdOf(text) === undefined));
    const { key } = createKey();
    for (const text of [
      '',
      ' ',
      `${key}\0`,
      `${key} `,
      ` ${key}`,
      `${key}\n`,
      key.slice(1),
      key + key,
      key.toUpperCase(),
    ])
      expect(keyIdOf(text)).toBeUndefined();
  });
});
