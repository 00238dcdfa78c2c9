import { createHash } from 'node:crypto';
import path from 'node:path';

/** A documentation address, parsed. */
export interface PageAddress {
  /** Name and version of the API, then the name of the service; empty for the list of APIs. */
  readonly scope: readonly string[];
  /** The rest of the query, which selects another view. */
  readonly query: string;
  /** Undefined if the format is negotiated. */
  readonly format: string | undefined;
}

/** Below the limit of all file systems. */
const MAX_LENGTH = 80;

/** Device names of Windows, which are reserved there. */
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
 * Encodes a name as a path segment that is valid on every system: characters other than letters, digits, `_` and `-`
 * become octets prefixed with `~`, so that different names stay different.
 */
export function fileNameOf(name: string): string {
  const safe = [...Buffer.from(name)]
    .map((octet) => {
      const character = String.fromCharCode(octet);
      return /[\w-]/.test(character) ? character : `~${octet.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (safe.length <= MAX_LENGTH && !DEVICE.test(safe) && safe !== '') return safe;
  return `${safe.slice(0, MAX_LENGTH)}~${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/**
 * Returns the file of a page, relative to the root of the site: `Atlas-v2/Country/index.html`, `documentation.json`,
 * `Atlas-v2/openapi.yaml`.
 * @param mediaType with or without parameters
 */
export function fileOf({ scope, query, format = '' }: PageAddress, mediaType: string): string {
  const essence = mediaType.replace(/;.*/, '').trim().toLowerCase();
  const extension = EXTENSIONS.find(([type]) => type.test(essence))?.[1] ?? 'bin';
  const kind =
    extension === 'html' ? 'index' : format === extension || format === '' ? 'documentation' : format;
  const view = query === '' ? '' : `-${fileNameOf(query)}`;
  return path.posix.join(...scope.map(fileNameOf), `${fileNameOf(kind)}${view}.${extension}`);
}

/** Returns the relative link from one file to another. */
export function relativeAddress(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to);
}
