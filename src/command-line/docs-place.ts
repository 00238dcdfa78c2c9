import { createHash } from 'node:crypto';
import path from 'node:path';

/** What an address below the documentation's means. */
export interface Place {
  /** Of an API its name and version, then the name of a service; empty for the list. */
  readonly scope: readonly string[];
  /** The rest of the query, which asks for another view. */
  readonly query: string;
  /** Undefined for what is negotiated. */
  readonly format: string | undefined;
}

/** Names stay readable, and far below what file systems allow. */
const LONGEST = 80;

/** Devices of Windows, which are no names of files there. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

const EXTENSIONS: readonly (readonly [type: RegExp, extension: string])[] = [
  [/^text\/html$/, 'html'],
  [/[/+]json$/, 'json'],
  [/[/+]yaml$|^application\/vnd\.oai\.openapi$/, 'yaml'],
  [/^text\/markdown$|\+markdown$/, 'md'],
  [/[/+]xml$/, 'xml'],
  [/^text\//, 'txt'],
];

/**
 * A name as a part of a path, on every system: other characters than letters, digits, `_` and `-` are written as
 * octets behind a `~`, so that two names never become one.
 */
export function fileNameOf(name: string): string {
  const safe = [...Buffer.from(name)]
    .map((octet) => {
      const character = String.fromCharCode(octet);
      return /[\w-]/.test(character) ? character : `~${octet.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (safe.length <= LONGEST && !DEVICE.test(safe) && safe !== '') return safe;
  return `${safe.slice(0, LONGEST)}~${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/**
 * The file of a representation, from the root of the site: `Atlas-v2/Country/index.html`, `documentation.json`,
 * `Atlas-v2/openapi.yaml`.
 * @param mediaType with or without parameters
 */
export function fileOf({ scope, query, format = '' }: Place, mediaType: string): string {
  const essence = mediaType.replace(/;.*/, '').trim().toLowerCase();
  const extension = EXTENSIONS.find(([type]) => type.test(essence))?.[1] ?? 'bin';
  const kind =
    extension === 'html' ? 'index' : format === extension || format === '' ? 'documentation' : format;
  const view = query === '' ? '' : `-${fileNameOf(query)}`;
  return path.posix.join(...scope.map(fileNameOf), `${fileNameOf(kind)}${view}.${extension}`);
}

/** How one file of a site leads to another. */
export function relativeAddress(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to);
}
