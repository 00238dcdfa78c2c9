import aprMd5 from 'apache-md5';
import type { PasswordHash } from './password-hash';
import { equalInConstantTime } from '../../http/constant-time';

const APR1 = /^(\$apr1\$[^$:]{1,8}\$)[./0-9A-Za-z]{22}$/;

/** Parses Apache's `$apr1$` hashes, with salts of 1 to 8 characters. */
export function readApr1(stored: string): PasswordHash | undefined {
  const setting = APR1.exec(stored)?.[1];
  if (setting === undefined) return undefined;
  return {
    stored,
    cost: 3000,
    // The package hashes one octet per character.
    verify: (password) =>
      Promise.resolve(
        equalInConstantTime(aprMd5(Buffer.from(password, 'utf8').toString('latin1'), setting), stored),
      ),
  };
}
