import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { desCrypt } from '../../../../../src/modules/mvc-auth/passwords/hashes/des-crypt';
import { readWeakHash } from '../../../../../src/modules/mvc-auth/passwords/hashes/weak-hash';
import { withPrograms } from '../../../../factories/processes/programs';
import { anyText } from '../../../../factories/any-text';

const CHARACTERS = Array.from('./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

/** The result of the system's own crypt(3), computed by Apache's tool. */
function apache(password: string): string {
  return execFileSync('htpasswd', ['-nbd', 'user', password], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: process.env,
  })
    .trim()
    .replace(/^user:/, '');
}

describe('DES', () => {
  it.each([
    ['password', 'rq', 'rqVTKtRlPS2tM'],
    ['password', '4K', '4K87bRHQHulu.'],
  ])('hashes %s with the salt %s like crypt(3)', (password, salt, stored) => {
    expect(desCrypt(password, salt)).toBe(stored);
  });

  const { it: withApache } = withPrograms('htpasswd');
  withApache.each(['', 'a', 'explore', 'Tr0ub4do', '~~~~~~~~', 'käse'])(
    'has the password that Apache has hashed, %j, and no other',
    async (password) => {
      const stored = apache(password);
      const hash = readWeakHash(stored, ['des']);
      expect(await hash?.verify(password)).toBe(true);
      expect(await hash?.verify(`x${password}`)).toBe(false);
      expect(await hash?.verify(stored)).toBe(false);
    },
  );

  it('returns 13 characters for any input', () => {
    const salt = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(anyText(), salt, (password, chosen) => {
        expect(desCrypt(password, chosen)).toMatch(/^[./0-9A-Za-z]{13}$/);
      }),
      { numRuns: 30 },
    );
  });
});

describe('plain text', () => {
  it.each(['', '0', 'secret', 'käse', 'twelve chars'])('is the password itself: %j', async (stored) => {
    const hash = readWeakHash(stored, ['plain']);
    expect(await hash?.verify(stored)).toBe(true);
    expect(await hash?.verify(`${stored} `)).toBe(false);
  });

  it.each([
    '$1$salt$qJH7.N4xYta3aEG/dfqo/0',
    '{SHA}bad',
    '{SSHA}x',
    'a'.repeat(32),
    'rqVTKtRlPS2tM',
    '$2y$bad',
  ])('does not match what looks like a hash: %s', (stored) => {
    expect(readWeakHash(stored, ['plain'])).toBeUndefined();
  });
});

it('is disabled by default, like DES', () => {
  expect(readWeakHash('rqVTKtRlPS2tM', [])).toBeUndefined();
  expect(readWeakHash('secret', [])).toBeUndefined();
  expect(readWeakHash('secret', ['des'])).toBeUndefined();
});
