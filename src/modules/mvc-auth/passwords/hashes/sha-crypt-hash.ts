import type { PasswordHash } from './password-hash';
import { equalInConstantTime } from '../../http/constant-time';
import { shaCrypt } from './sha-crypt';

const SHA_CRYPT = /^\$([56])\$(?:rounds=([1-9]\d{0,8})\$)?([^$:]{0,16})\$([./0-9A-Za-z]+)$/;
const DEFAULT_ROUNDS = 5000;
const MIN_ROUNDS = 1000;
const CHARACTERS = { sha256: 43, sha512: 86 } as const;

/** Parses `$5$` (SHA-256) and `$6$` (SHA-512) hashes of SHA-crypt, with or without `rounds=`. */
export function readShaCrypt(stored: string): PasswordHash | undefined {
  const [, kind, rounds, salt, digest] = SHA_CRYPT.exec(stored) ?? [];
  if (salt === undefined || digest === undefined) return undefined;
  const algorithm = kind === '5' ? 'sha256' : 'sha512';
  if (digest.length !== CHARACTERS[algorithm]) return undefined;
  const setting = {
    algorithm,
    rounds: Math.max(MIN_ROUNDS, Number(rounds ?? DEFAULT_ROUNDS)),
    salt,
  } as const;
  return {
    stored,
    cost: setting.rounds * 2,
    verify: async (password) => equalInConstantTime(await shaCrypt(password, setting), digest),
  };
}
