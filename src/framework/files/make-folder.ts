import { mkdir } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { syncFolder } from './replace-file';

/** Creates a folder and its missing parents, durably. */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  if (first === undefined) return;
  // An entry is durable only once its folder is synced.
  const parent = dirname(resolve(first));
  for (let at = dirname(resolve(folder)); !relative(parent, at).startsWith('..'); at = dirname(at)) {
    await syncFolder(at);
    if (at === parent) break;
  }
}
