import { failedValidation } from '../../content-validation';
import { MAX_PATH, type Operation, type Result } from './batch-schemas';
import {
  resolveReferences,
  resolveText,
  TooMuchInserted,
  UnknownReference,
  type Allowance,
} from './references';

/** Fields that belong to the connection, or that only the platform and its proxies write. */
const REFUSED_FIELD =
  /^(connection|content-length|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-forwarded-.*)$/i;

/** The value of a field (RFC 9110, 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Characters of the names and values of all fields of an operation: it is sent in one message with those of the batch. */
const MAX_FIELDS = 8192;

/** Inserts earlier results into an operation. @throws Problem 422 with a pointer to what cannot be sent */
export function resolveOperation(
  { method, path: target, headers, body }: Operation,
  at: number,
  results: readonly Result[],
  allowance: Allowance,
): Operation {
  const bodies = results.map((result) => result.body);
  const pointer = `/operations/${at}`;
  try {
    const path = resolveText(target, bodies, allowance, { encode: encodeURIComponent, isStrict: true });
    if (path.length > MAX_PATH) throw unsendable(`${pointer}/path`, `has more than ${MAX_PATH} characters`);
    return {
      method,
      path,
      ...(headers === undefined ? {} : { headers: fieldsOf(headers, pointer, bodies, allowance) }),
      ...(body === undefined ? {} : { body: resolveReferences(body, bodies, allowance) }),
    };
  } catch (error) {
    if (error instanceof URIError) throw unsendable(`${pointer}/path`, 'inserts half a surrogate pair');
    if (!(error instanceof UnknownReference || error instanceof TooMuchInserted)) throw error;
    throw failedValidation([{ pointer, keyword: 'reference', message: error.message }]);
  }
}

function fieldsOf(
  headers: Readonly<Record<string, string>>,
  pointer: string,
  bodies: readonly unknown[],
  allowance: Allowance,
): Record<string, string> {
  const fields = Object.entries(headers).map(
    ([name, text]) => [name, resolveText(text, bodies, allowance, { isStrict: true })] as const,
  );
  for (const [name, value] of fields) {
    const field = `${pointer}/headers/${name}`;
    if (REFUSED_FIELD.test(name)) throw unsendable(field, 'cannot be set for an operation');
    if (!FIELD_VALUE.test(value)) throw unsendable(field, 'has a character that no header field can have');
  }
  const characters = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (characters > MAX_FIELDS)
    throw unsendable(`${pointer}/headers`, `have more than ${MAX_FIELDS} characters`);
  return Object.fromEntries(fields);
}

function unsendable(pointer: string, message: string): Error {
  return failedValidation([{ pointer, keyword: 'not', message }]);
}
