import { execFileSync } from 'node:child_process';
import { hashWithBcrypt } from '../../../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import type { PasswordHash } from '../../../../../src/modules/mvc-auth/passwords/hashes/password-hash';
import { readPasswordHash } from '../../../../../src/modules/mvc-auth/passwords/hashes/read-password-hash';
import { withPrograms } from '../../../../factories/processes/programs';

const PASSWORDS = [
  '',
  'a',
  'open sesame',
  'käse 🧀',
  '0',
  'x'.repeat(15),
  'x'.repeat(16),
  'y'.repeat(33),
  'z'.repeat(70),
];

function read(stored: string): PasswordHash {
  const hash = readPasswordHash(stored);
  if (!hash) throw new Error(`not read: ${stored}`);
  return hash;
}

/** The output of a system program. */
function printed(program: string, args: readonly string[], input = ''): string {
  return execFileSync(program, args, { input, encoding: 'utf8', stdio: 'pipe', env: process.env }).trim();
}

function openssl(kind: string, salt: string, password: string): string {
  return printed('openssl', ['passwd', kind, '-salt', salt, '-stdin'], `${password}\n`);
}

function apache(kind: string, password: string): string {
  return printed('htpasswd', ['-nb', ...kind.split(' '), 'user', password]).replace(/^user:/, '');
}

describe('stored hashes', () => {
  const { it: withApache } = withPrograms('htpasswd');
  const { it: withOpenssl } = withPrograms('openssl');

  withApache.each(['-B', '-B -C 4', '-m', '-s', '-2', '-5', '-5 -r 1000', '-2 -r 7777'])(
    'of Apache with %s have the password that was hashed, and no other',
    async (kind) => {
      for (const password of PASSWORDS) {
        const hash = read(apache(kind, password));
        expect([password, await hash.verify(password)]).toEqual([password, true]);
        expect(await hash.verify(`${password}!`)).toBe(false);
        expect(await hash.verify(hash.stored)).toBe(false);
      }
    },
  );

  withOpenssl.each(['-5', '-6', '-apr1'])(
    'of openssl with %s and salts of any length have it too',
    async (kind) => {
      for (const [index, salt] of ['a', 'ab', 'abcd', '1234567', './abcdEF'].entries()) {
        const password = PASSWORDS[index + 1] ?? '';
        const hash = read(openssl(kind, salt, password));
        expect([salt, await hash.verify(password)]).toEqual([salt, true]);
        expect(await hash.verify(password.slice(1))).toBe(false);
      }
    },
  );

  withOpenssl('of SHA-crypt are those of its specification, rounds below 1000 counted as 1000', async () => {
    const vectors = [
      ['$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5', 'Hello world!'],
      [
        '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
        'Hello world!',
      ],
    ] as const;
    expect(await read(vectors[0][0]).verify(vectors[0][1])).toBe(true);
    expect(await read(vectors[1][0]).verify(vectors[1][1])).toBe(true);
    const thousand = openssl('-5', 'rounds=1000$salt', 'x').replace('rounds=1000', 'rounds=10');
    expect(await read(thousand).verify('x')).toBe(true);
  });

  it('yield the event loop while SHA-crypt is computed', async () => {
    const hash = read(`$6$rounds=50000$salt$${'.'.repeat(86)}`);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await hash.verify('x');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('with bcrypt are written for Apache and for passwords of at most 72 bytes', async () => {
    const stored = await hashWithBcrypt('ä'.repeat(36), 4);
    expect(stored).toMatch(/^\$2y\$04\$/);
    expect(await read(stored).verify('ä'.repeat(36))).toBe(true);
    expect(await read(stored).verify(`${'ä'.repeat(36)}x`)).toBe(false);
    await expect(hashWithBcrypt('x'.repeat(73), 4)).rejects.toThrow();
  });

  it('with bcrypt are read with each prefix of the standard algorithm', async () => {
    const stored = await hashWithBcrypt('secret', 4);
    for (const prefix of ['2a', '2b', '2y']) {
      expect(await read(stored.replace('2y', prefix)).verify('secret')).toBe(true);
    }
    expect(readPasswordHash(stored.replace('2y', '2x'))).toBeUndefined();
  });

  it('have a higher cost the slower they are', () => {
    const costs = [
      '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
      `$apr1$x$${'.'.repeat(22)}`,
      `$5$x$${'.'.repeat(43)}`,
    ].map((stored) => read(stored).cost);
    const bcrypt = ['10', '12'].map((cost) => read(`$2y$${cost}$${'.'.repeat(53)}`).cost);
    const all = [...costs, ...bcrypt];
    expect(all).toEqual([...all].sort((a, b) => a - b));
  });
});
