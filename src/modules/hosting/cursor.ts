import { createHash } from 'node:crypto';
import { problem } from '../../framework';
import type { Validator } from '../content-validation';

/** Parameters of the query that do not change which collection it is that is walked through. */
const BESIDE: readonly string[] = ['cursor', 'page_size'];

/** Characters of a cursor at most: it comes back in an address, and goes out in `Link` twice, which have 16 KB. */
const LONGEST = 4_096;

/**
 * A cursor as clients get it: what the resource needs to go on, and a mark of the query that it belongs to. It is
 * opaque, and no secret: what comes back is checked against the declared schema, as every input is. So is what goes
 * out, as a cursor that will be refused is of no use.
 *
 * @param check of the declared schema
 * @throws TypeError that says what is wrong with what the resource returned
 */
export function encodeCursor(cursor: unknown, query: URLSearchParams, check: Validator): string {
  const written = textOf([markOf(query), cursor]);
  const checked = check((JSON.parse(written) as readonly unknown[])[1]);
  if ('errors' in checked) {
    const told = checked.errors.map(
      ({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`,
    );
    throw new TypeError(`is not what the service's "cursor" says: ${told.join('; ')}`);
  }
  const text = Buffer.from(written).toString('base64url');
  if (text.length <= LONGEST) return text;
  throw new TypeError(
    `has ${text.length} characters when it is written, and ${LONGEST} fit into an address: return where to go on, such as the last identifier`,
  );
}

/** @throws TypeError for what JSON cannot write */
function textOf(value: unknown): string {
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
