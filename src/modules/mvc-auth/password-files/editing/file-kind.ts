import { parseDigestLine } from '../digest-table';
import { passwordLines } from '../lines';
import { PasswordEditError } from './password-edit-error';

/** @throws PasswordEditError for a file that has only lines of the other kind: a line added to it would never be read */
export function assertFileKind(file: string, bytes: Buffer, kind: 'htpasswd' | 'htdigest'): void {
  const lines = passwordLines(bytes.toString('utf8')).map(({ text }) => text);
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
