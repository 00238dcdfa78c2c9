import { parseDigestLine } from '../digest-table';
import { readPasswordHash } from '../../passwords/hashes/read-password-hash';
import { passwordLines } from '../lines';

/**
 * Finds the number of the first line, from 1, that does not belong in a password file; undefined for a valid file. To
 * tell password files from other text, plain-text passwords are not recognized.
 */
export function findUnrecognizedLine(kind: 'htpasswd' | 'htdigest', text: string): number | undefined {
  const isLine = kind === 'htdigest' ? isDigestLine : isPasswordLine;
  return passwordLines(text).find((line) => !isLine(line.text))?.number;
}

function isDigestLine(text: string): boolean {
  return parseDigestLine(text) !== undefined;
}

export function isPasswordLine(text: string): boolean {
  const [username = '', stored] = text.split(':');
  return username !== '' && stored !== undefined && readPasswordHash(stored, ['des']) !== undefined;
}
