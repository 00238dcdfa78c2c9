import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../factories/platform';
import type { Challenge } from './challenges';

/** The entry of a client in docs/reference/clients.md. */
export interface ReferenceRow {
  readonly client: string;
  readonly version: string;
  readonly outcomes: Readonly<Record<Challenge, string>>;
}

const FILE = path.join(ROOT, 'docs/reference/clients.md');

/** The table's rows, in order. */
export function referenceRows(): readonly ReferenceRow[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('| client'));
  const rest = lines.slice(begin + 2);
  return rest.slice(0, rest.indexOf('')).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));
    const [, client = '', version = '', basic = '', md5 = '', both = '', sha256 = ''] = cells;
    return {
      client,
      version,
      outcomes: { Basic: basic, MD5: md5, 'SHA-256 and MD5': both, 'SHA-256': sha256 },
    };
  });
}

/** @throws Error when the table has no such client */
export function rowOf(client: string): ReferenceRow {
  const row = referenceRows().find((one) => one.client === client);
  if (row === undefined) throw new Error(`${FILE} has no row for ${client}.`);
  return row;
}
