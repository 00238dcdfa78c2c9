// Whether a step's inputs are those it was last done for: the stamp is a hash of their contents.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const stamps = path.join(root, 'node_modules', '.cache', 'platform');

/** Every file at or below the given paths, sorted; what is installed there does not count. */
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

function hashOf(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

/** Does a step unless it was done for these very files before, and left its output. Returns whether it ran. */
export async function unlessUpToDate(step, inputs, work, output = '.') {
  const stamp = path.join(stamps, `${step}.stamp`);
  const hash = hashOf(inputs);
  if (existsSync(path.join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return false;
  // What a step that fails leaves behind is not what the stamp stood for.
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}
