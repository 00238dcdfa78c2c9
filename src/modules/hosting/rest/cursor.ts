import { createHash } from 'node:crypto';
import { problem } from '../../../framework';
import type { Validator } from '../../content-validation';

/** Query parameters that do not change which collection is listed. */
const PAGING_PARAMETERS: readonly string[] = ['cursor', 'page_size'];

/** Maximum length of a cursor: it is part of a URL, and appears twice in `Link`, which is limited to 16 KB. */
const MAX_LENGTH = 4_096;

/**
 * Encodes a cursor for clients: the resource's cursor value, and a hash of the query that it belongs to. It is
 * opaque but not secret. It is validated here as well as on its return: a cursor that would be rejected is useless.
 *
 * @param check of the declared schema
 * @throws TypeError that says what is wrong with what the resource returned
 */
export function encodeCursor(cursor: unknown, query: URLSearchParams, check: Validator): string {
  const json = stringify([queryHash(query), cursor]);
  const checked = check((JSON.parse(json) as readonly unknown[])[1]);
  if ('errors' in checked) {
    const messages = checked.errors.map(
      ({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`,
    );
    throw new TypeError(`does not match the "cursor" schema of the service: ${messages.join('; ')}`);
  }
  const text = Buffer.from(json).toString('base64url');
  if (text.length <= MAX_LENGTH) return text;
  throw new TypeError(
    `has ${text.length} characters when encoded, and at most ${MAX_LENGTH} fit into a URL: return a short position, such as the last identifier`,
  );
}

/** @throws TypeError for a value that JSON cannot represent */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new TypeError(
      `cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * @param check of the declared schema
 * @throws Problem 400 for a cursor that was not issued for this query
 */
export function decodeCursor(text: string, query: URLSearchParams, check: Validator): unknown {
  const read = parse(text);
  if (Array.isArray(read) && read.length === 2 && read[0] === queryHash(query)) {
    const checked = check(read[1]);
    if ('value' in checked) return checked.value;
  }
  const errors = [{ parameter: 'cursor', message: 'was not issued for this query' }];
  throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function queryHash(query: URLSearchParams): string {
  const others = [...query].filter(([name]) => !PAGING_PARAMETERS.includes(name)).sort();
  return createHash('sha256').update(JSON.stringify(others)).digest('base64url').slice(0, 8);
}
