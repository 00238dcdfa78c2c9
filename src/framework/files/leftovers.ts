import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OWNER_FILE } from './lock-claim';
import { currentOwner, hasEnded, parseOwner } from './lock-owner';

/** The suffix of temporary files. */
const TEMPORARY = /^\.[0-9a-f-]{36}\.tmp$/;
/** The suffix of claims to the lock, which may still be in use. */
const CLAIM = /^\.lock\.([0-9a-f-]{36})$/;

/** Milliseconds after which a claim is considered abandoned. */
const ABANDONED_MS = 60_000;

/** Removes the temporary files of killed processes next to a file. Call it with the lock held. */
export async function removeLeftovers(path: string): Promise<void> {
  const name = basename(path);
  for (const one of await readdir(dirname(path))) {
    if (!one.startsWith(`${name}.`)) continue;
    const file = join(dirname(path), one);
    const rest = one.slice(name.length);
    const [, token] = CLAIM.exec(rest) ?? [];
    if (TEMPORARY.test(rest)) await rm(file, { force: true });
    // A process that still uses it creates another one.
    else if (token !== undefined && (await isAbandoned(file, token)))
      await rm(file, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isAbandoned(claim: string, token: string): Promise<boolean> {
  const info = await stat(claim).catch(() => undefined);
  if (info === undefined) return false;
  if (Math.abs(Date.now() - info.mtimeMs) > ABANDONED_MS) return true;
  const owner = parseOwner(await readFile(join(claim, token, OWNER_FILE), 'utf8').catch(() => ''));
  return owner !== undefined && (await hasEnded(owner, await currentOwner()));
}
