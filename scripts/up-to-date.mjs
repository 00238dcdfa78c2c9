// Skips steps whose inputs have not changed since they last ran. The stamp is a hash of their contents.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const stamps = path.join(root, 'node_modules', '.cache', 'platform');

/** Lists every file at or below the given paths, sorted, without node_modules. */
export function filesBelow(...names) {
  return names
    .flatMap((name) => {
      const full = path.join(root, name);
      if (!existsSync(full)) return [];
      if (!statSync(full).isDirectory()) return [name];
      const children = readdirSync(full).filter((child) => child !== 'node_modules');
      return children.flatMap((child) => filesBelow(path.join(name, child)));
    })
    .sort();
}

function hashOf(files, version) {
  const hash = createHash('sha256').update(version);
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

/**
 * Runs a step unless its stamp matches the inputs and its output exists. Returns whether it ran.
 * @param options `version` of Node, unless the output is the same for all of them; `folder` of the stamp, which `npm ci` deletes
 * if it is in the folder of the dependencies
 */
export async function unlessUpToDate(
  step,
  inputs,
  work,
  output = '.',
  { version = process.version, folder = stamps } = {},
) {
  const stamp = path.join(folder, `${step}.stamp`);
  const hash = hashOf(inputs, version);
  if (existsSync(path.join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return false;
  // If the step fails, the old stamp must not match its partial output.
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}
