import { crc32 } from 'node:zlib';
import { errorMessage, parseJson } from '../../../framework';
import type { Validator } from '../../content-validation';
import { canonicalQuery } from './page-links';

/** Parameters that do not change which collection is listed. */
const PAGING_PARAMETERS: readonly string[] = ['cursor', 'page_size'];

type Parameters = Readonly<Record<string, string>>;

/**
 * Identifies the list of a query: its cursors are valid for no other one.
 * @param query without its `?`
 * @param parameters of the route: `/orders/7/lines` and `/orders/8/lines` are two lists
 */
export function listKeyOf(query: string, parameters: Parameters): string {
  const pairs = canonicalQuery(query).split('&');
  return keyOf(
    pairs.filter((pair) => isOfList(pair.slice(0, pair.indexOf('=')))),
    parameters,
  );
}

/** Identifies the list of a query in a body. @param parameters of the route */
export function listKeyOfBody(body: Readonly<Record<string, unknown>>, parameters: Parameters): string {
  const members = Object.entries(body).filter(([name]) => isOfList(name));
  return keyOf(
    members.map((member) => JSON.stringify(member)),
    parameters,
  );
}

function isOfList(name: string): boolean {
  return !PAGING_PARAMETERS.includes(name);
}

/** A checksum, since it finds mistakes only: a cursor is not secret, and a client can write one itself. */
function keyOf(conditions: readonly string[], parameters: Parameters): string {
  let text = [...conditions].sort().join('&');
  // No route has a parameter `version` besides that of the prefix, with and without which a list is the same.
  for (const [name, value] of Object.entries(parameters)) if (name !== 'version') text += `/${name}=${value}`;
  return crc32(text).toString(36);
}

/** Maximum length of a cursor: it is part of a URL, and appears twice in `Link`, which is limited to 16 KB. */
const MAX_LENGTH = 4_096;

/**
 * Encodes a cursor for clients: the resource's cursor value, and the key of the list that it belongs to. It is
 * opaque but not secret. It is validated here as well as on its return: a cursor that would be rejected is useless.
 *
 * @param listKey identifies the list that it belongs to
 * @param check of the declared schema
 * @throws TypeError that says what is wrong with what the resource returned
 */
export function encodeCursor(cursor: unknown, listKey: string, check: Validator): string {
  const json = stringify([listKey, cursor]);
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
    throw new TypeError(`cannot be written as JSON: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** What is wrong with a cursor that cannot be decoded. */
export const FOREIGN_CURSOR = 'was not issued for this query';

/**
 * @param listKey identifies the requested list
 * @param check of the declared schema
 * @returns the cursor of the resource; undefined if it was not issued for this list
 */
export function decodeCursor(
  text: string,
  listKey: string,
  check: Validator,
): { readonly value: unknown } | undefined {
  const read = parseJson(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(read) || read.length !== 2 || read[0] !== listKey) return undefined;
  const checked = check(read[1]);
  return 'value' in checked ? checked : undefined;
}
