import { parseDigestLine } from '../digest-table';
import { passwordLines } from '../lines';
import { PasswordEditError } from './password-edit-error';
import { isPasswordLine } from './unrecognized-line';

/** A line of a user, perhaps with a plain-text password. Those of groups, YAML and variables have white space or `=`. */
const USER = /^[^:="{}[\]]+:\S/;

/** A line with a hash of an unknown kind. */
const UNKNOWN_HASH = /^[^:=]+:(?:\$[\w-]+\$|\{[\w-]+\}\S)/;

/**
 * @throws PasswordEditError for a file that has only lines of the other kind, as a line added to it would never be read, and
 *   for other text, such as the keys of an API, which it would damage
 */
export function assertFileKind(file: string, bytes: Buffer, kind: 'htpasswd' | 'htdigest'): void {
  const all = passwordLines(bytes.toString('utf8'));
  const lines = all.map(({ text }) => text);
  const other = all.find(({ text }) => !USER.test(text));
  if (other !== undefined && !lines.some(hasHash))
    throw new PasswordEditError(
      `${file} is not a password file: line ${other.number} is not that of a user, such as user:hash. Name another file, or remove the line.`,
    );
  const digests = lines.filter((line) => parseDigestLine(line) !== undefined).length;
  const passwords = lines.filter((line) => /^[^:]+:[^:]+$/.test(line)).length;
  if (kind === 'htpasswd' && digests > 0 && passwords === 0) {
    throw new PasswordEditError(
      `${file} is a digest file: its lines are user:realm:hash. Use "apidesc-platform htdigest ${file} REALM USER", or another file.`,
    );
  }
  if (kind === 'htdigest' && passwords > 0 && digests === 0) {
    throw new PasswordEditError(
      `${file} is a password file for Basic: its lines are user:hash. Use "apidesc-platform htpasswd ${file} USER", or another file.`,
    );
  }
}

function hasHash(line: string): boolean {
  return isPasswordLine(line) || parseDigestLine(line) !== undefined || UNKNOWN_HASH.test(line);
}
