import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** A file that is still being written is not as old, in milliseconds. */
const LEFTOVER_MS = 60_000;

export function createIfMissing(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

/** Removes what processes have left that were killed while they wrote. */
export function removeLeftovers(file: string): void {
  const folder = path.dirname(file);
  for (const name of readdirSync(folder)) {
    const other = path.join(folder, name);
    if (!name.startsWith(`${path.basename(file)}.`)) continue;
    const written = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - written > LEFTOVER_MS) removeIfExists(other);
  }
}

export function removeIfExists(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its folder does not exist.
  }
}

/** Whether only this user can have written the files of a folder: their code is executed. */
export function isPrivate(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
}

/** Writes a file that only its user can read, in steps. */
export function* write(file: string, parts: readonly Buffer[]): Generator<void, void, void> {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    for (const part of parts) {
      for (let at = 0; at < part.length;) at += writeSync(descriptor, part, at);
      yield;
    }
  } finally {
    closeSync(descriptor);
  }
}
