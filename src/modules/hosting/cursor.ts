import { createHash } from 'node:crypto';
import { problem } from '../../framework';
import type { Validator } from '../content-validation';

/** Parameters of the query that do not change which collection it is that is walked through. */
const BESIDE: readonly string[] = ['cursor', 'page_size'];

/**
 * A cursor as clients get it: what the resource needs to go on, and a mark of the query that it belongs to. It is
 * opaque, and no secret: what comes back is checked against the declared schema, as every input is.
 */
export function encodeCursor(cursor: unknown, query: URLSearchParams): string {
  return Buffer.from(JSON.stringify([markOf(query), cursor])).toString('base64url');
}

/**
 * @param check of the declared schema
 * @throws Problem 400 for what was not given out for this query
 */
export function decodeCursor(text: string, query: URLSearchParams, check: Validator): unknown {
  const read = parse(text);
  if (Array.isArray(read) && read.length === 2 && read[0] === markOf(query)) {
    const checked = check(read[1]);
    if ('value' in checked) return checked.value;
  }
  const errors = [{ parameter: 'cursor', message: 'is not one that was given for this query' }];
  throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function markOf(query: URLSearchParams): string {
  const others = [...query].filter(([name]) => !BESIDE.includes(name)).sort();
  return createHash('sha256').update(JSON.stringify(others)).digest('base64url').slice(0, 8);
}
