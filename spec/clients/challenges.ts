import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { makeProject } from '../factories/platform';
import { startProcess } from '../factories/processes/platform-process';

/** The user of every client; the password contains characters that careless clients split at or encode. */
export const USER = { username: 'guide', password: 'open: sesame +1' } as const;

export const REALM = 'Atlas';

/** What a server may offer: Basic, or Digest with the algorithms of the password file's lines. */
export const CHALLENGES = ['Basic', 'MD5', 'SHA-256 and MD5', 'SHA-256'] as const;
export type Challenge = (typeof CHALLENGES)[number];

/** A platform whose visits require an authenticated user. */
export interface Guarded {
  /** The URL of the collection. */
  readonly visits: string;
  stop(): Promise<void>;
}

/** The line that Apache's `htdigest` writes, or the same with another algorithm. */
function digestLine(algorithm: 'md5' | 'sha256'): string {
  const secret = createHash(algorithm).update(`${USER.username}:${REALM}:${USER.password}`).digest('hex');
  return `${USER.username}:${REALM}:${secret}\n`;
}

const FILES: Readonly<Record<Challenge, string>> = {
  // As `htpasswd -s` writes it.
  Basic: `${USER.username}:{SHA}${createHash('sha1').update(USER.password).digest('base64')}\n`,
  MD5: digestLine('md5'),
  'SHA-256 and MD5': digestLine('sha256') + digestLine('md5'),
  'SHA-256': digestLine('sha256'),
};

/** Starts the platform as an operator does, guarding the sample API with a password file. */
export async function guard(challenge: Challenge, file = FILES[challenge]): Promise<Guarded> {
  const options =
    challenge === 'Basic'
      ? { accept_schemes: ['basic'], realm: REALM, htpasswd: 'users' }
      : {
          accept_schemes: ['digest'],
          realm: REALM,
          htdigest: 'users',
          digest_domains: '',
          nonce_timeout: '3600',
        };
  const adapters = { guard: { adapter: 'HttpAdapter', options } };
  const root = makeProject({
    files: { users: file },
    local: {
      'platform-mvc-auth': { authentication: { adapters, map: { Atlas: 'guard' } } },
      'platform-operations': { access_log: { enabled: false } },
    },
  });
  const { origin, output, stop } = await startProcess(root);
  if (origin === undefined) throw new Error(output);
  return {
    visits: `${origin}/v2/atlas/visits`,
    stop: async () => {
      await stop();
      await rm(root, { recursive: true });
    },
  };
}
