import { parseDigestLine } from '../digest-table';
import { readPasswordHash } from '../../passwords/hashes/read-password-hash';
import type { WeakKind } from '../../passwords/hashes/weak-hash';
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
  // The value of a variable may look like DES, which has no prefix: URL=https://example.com
  const weak: readonly WeakKind[] = username.includes('=') ? [] : ['des'];
  return username !== '' && stored !== undefined && readPasswordHash(stored, weak) !== undefined;
}
