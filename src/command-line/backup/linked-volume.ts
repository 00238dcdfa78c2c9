import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Kubernetes: what a ConfigMap or a Secret has are links to the content of `..data`, which is a link to a folder next to it
 * with the time in its name. The links are saved themselves, so that these two are not.
 */
export async function linkedVolume(source: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const skipped = new Set<string>();
  for (const name of names.filter((one) => one.startsWith('..'))) {
    const folder = await realpath(path.join(source, name)).catch(() => '');
    const target = path.basename(folder);
    if (target === name || path.dirname(folder) !== (await realpath(source))) continue;
    const entries = await readdir(folder).catch(() => undefined);
    if (entries === undefined) continue;
    skipped.add(name);
    const isLinked = await Promise.all(
      entries.map((one) => isSame(path.join(source, one), path.join(folder, one))),
    );
    if (target.startsWith('..') && !isLinked.includes(false)) skipped.add(target);
  }
  return skipped;
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => realpath(file).catch(() => undefined)),
  );
  return first !== undefined && first === second;
}
