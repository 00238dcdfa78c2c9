import aprMd5 from 'apache-md5';
import type { PasswordHash } from './password-hash';
import { sameText } from './same-text';

const APR1 = /^(\$apr1\$[^$:]{1,8}\$)[./0-9A-Za-z]{22}$/;

/** Reads Apache's own `$apr1$` hashes, with salts of 1 to 8 characters, or nothing. */
export function readApr1(stored: string): PasswordHash | undefined {
  const setting = APR1.exec(stored)?.[1];
  if (setting === undefined) return undefined;
  return {
    stored,
    cost: 3000,
    // The package hashes characters as octets: UTF-8 is spelt out for it.
    verify: (password) =>
      Promise.resolve(sameText(aprMd5(Buffer.from(password, 'utf8').toString('latin1'), setting), stored)),
  };
}
