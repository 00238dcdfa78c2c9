// Finds programs of Debian packages.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['/usr/sbin', '/usr/bin'];

/** The path of a program; exits with 0, and says which package has it, if it is not installed. */
export function requireProgram(name, debianPackage = name) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...FOLDERS];
  const found = folders.map((folder) => path.join(folder, name)).find(isExecutable);
  if (found !== undefined) return found;
  process.stdout.write(
    `${name} is not installed, and the test was left out: apt-get install ${debianPackage}\n`,
  );
  process.exit(0);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
