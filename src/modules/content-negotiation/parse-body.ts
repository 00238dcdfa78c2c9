import { isAscii } from 'node:buffer';
import {
  isObject,
  fieldEssence,
  fieldMediaType,
  formatPointer,
  hasUtf8Escapes,
  inspectParsed,
  pluralize,
  problem,
  countWrittenMembers,
  type Problem,
  errorMessage,
} from '../../framework';
import { infiniteNumberAt } from './json-text/infinite-numbers';
import {
  assertMemberCount,
  assertNesting,
  DEFAULT_DEPTH,
  DEFAULT_MEMBERS,
  pointerAt,
} from './json-text/nesting';
import { findForbiddenKey, PROTOTYPE } from './json-text/forbidden-keys';
import { roundedNumbers } from './json-text/rounded-numbers';

export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';
const HAL = 'application/hal+json';

/** The limits of the structure of a body. */
export interface BodyLimits {
  /** Levels that JSON may be nested; defaults to 200. */
  readonly depth?: number | undefined;
  /** Members and items of JSON, or fields of a form, of which there are at most 10,000; defaults to 100,000. */
  readonly members?: number | undefined;
  /** Whether numbers that are not doubles are reported by the validation, infinite ones too. */
  readonly exactNumbers?: boolean | undefined;
}

/**
 * Parses a request body.
 * @param contentType one that the endpoint accepts
 * @throws Problem 400 for text that is not UTF-8 or malformed, and for duplicate members; 415 for another charset
 */
export function parseBody(bytes: Buffer, contentType: string, limits: BodyLimits = {}): unknown {
  const type = fieldEssence(contentType);
  // A form without fields has no bytes; for other types, an empty body is not a value.
  if (bytes.length === 0) return type === FORM ? {} : undefined;
  assertUtf8(contentType);
  const text = decodeUtf8(bytes);
  switch (type) {
    case FORM:
      assertFieldCount(text, limits);
      return toFormValue([...parseFormText(text)]);
    case HAL:
      return stripHypermedia(parseJson(text, limits));
    default:
      return parseJson(text, limits);
  }
}

/** Parses the text of a form. @throws Problem 400 if its percent-encoded bytes are not UTF-8 */
export function parseFormText(text: string): URLSearchParams {
  if (!hasUtf8Escapes(text)) throw problem('bad_body', { reason: 'its percent-encoded text is not UTF-8.' });
  return new URLSearchParams(text);
}

/** Fields of a form at most: each takes several times the time of a member of JSON. */
const MAX_FIELDS = 10_000;

/** Counts the fields of a form before they are parsed. @throws Problem 413 */
function assertFieldCount(text: string, { members = DEFAULT_MEMBERS }: BodyLimits): void {
  const limit = Math.min(members, MAX_FIELDS);
  if (text.length < limit) return;
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count++;
  if (count > limit) throw problem('form_too_large', { what: `more than ${pluralize(limit, 'field')}` });
}

/** @throws Problem 415 for a media type that names another charset */
export function assertUtf8(contentType: string): void {
  const charset = fieldMediaType(contentType)?.parameters.get('charset')?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return;
  throw problem('unsupported_media_type', { type: contentType, supported: ['text in UTF-8'] });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws Problem 400 */
export function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw problem('bad_body', { reason: 'it is not UTF-8.' }, { cause: error });
  }
}

/**
 * Parses a JSON text; returns undefined for white space. Rejects duplicate member names: RFC 8259, 4 leaves their
 * meaning open, so that a gateway may have checked another value than the one we would read.
 * @param parent JSON Pointer to the value in the body
 * @throws Problem 400
 */
function parseJson(
  text: string,
  { depth = DEFAULT_DEPTH, members = DEFAULT_MEMBERS, exactNumbers }: BodyLimits = {},
  parent = '',
): unknown {
  if (text.trim() === '') return undefined;
  assertNesting(text, depth, parent);
  assertMemberCount(text, members, parent);
  const value = parseOrThrow(text, parent);
  const { members: count, hasInfinity } = inspectParsed(value, PROTOTYPE);
  if (count !== 0 && count !== countWrittenMembers(text)) throw forbiddenKeyProblem(text, parent);
  if (hasInfinity && exactNumbers !== true)
    throw infiniteNumberProblem(parent + pointerAt(text, infiniteNumberAt(text)));
  return value;
}

/**
 * Parses a field of a form that is JSON.
 * @param pointer to the field in the form
 * @param rounded receives pointers to the numbers that are not doubles, if they have to be
 * @throws Problem 400 as {@link parseJson} does
 */
export function parseJsonField(
  text: string,
  limits: BodyLimits,
  pointer: string,
  rounded: string[],
): unknown {
  const value = parseJson(text, limits, pointer);
  if (limits.exactNumbers === true)
    for (const inner of roundedNumbers(Buffer.from(text))) rounded.push(pointer + inner);
  return value;
}

/** It would become null when it is written as JSON again. */
function infiniteNumberProblem(pointer: string): Problem {
  const message = 'is beyond the range of numbers (IEEE 754)';
  const reason = `the number${pointer === '' ? '' : ` at ${pointer}`} ${message}.`;
  return problem('bad_json', { reason }, { extensions: { errors: [{ pointer, message }] } });
}

function parseOrThrow(text: string, parent: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = errorMessage(error);
    const extensions = parent === '' ? {} : { errors: [{ pointer: parent, message }] };
    throw problem('bad_json', { reason: `${message}.` }, { cause: error, extensions });
  }
}

function forbiddenKeyProblem(text: string, parent: string): Problem {
  const {
    pointer: inner,
    name,
    kind,
  } = findForbiddenKey(text) ?? {
    pointer: '',
    name: '',
    kind: 'duplicate',
  };
  return memberProblem(parent + inner, kind, name);
}

function memberProblem(pointer: string, kind: 'duplicate' | 'prototype', name: string): Problem {
  const message = kind === 'duplicate' ? 'is a duplicate' : PROTOTYPE_FORBIDDEN;
  const reason =
    kind === 'duplicate' ? `the member "${name}" is a duplicate, at ${pointer}.` : `${PROTOTYPE_FORBIDDEN}.`;
  return problem('bad_json', { reason }, { extensions: { errors: [{ pointer, message }] } });
}

const PROTOTYPE_FORBIDDEN = `a member must not be named "${PROTOTYPE}"`;

/** Converts form fields to an object. Names are literal (no brackets or dots); a repeated name becomes a list. */
export function toFormValue(fields: readonly (readonly [name: string, value: unknown])[]): unknown {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of fields) {
    if (name === PROTOTYPE) throw problem('bad_body', { reason: `${PROTOTYPE_FORBIDDEN}.` });
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

/**
 * Converts a HAL document that a client sends back to plain data: drops links and merges embedded resources into the
 * members.
 * @param pointer to the value in the body
 * @throws Problem 400 for an embedded resource with the name of a member, which is a duplicate as in {@link parseJson}
 */
function stripHypermedia(value: unknown, pointer = ''): unknown {
  if (Array.isArray(value)) return value.map((one, at) => stripHypermedia(one, `${pointer}/${at}`));
  if (!isObject(value)) return value;
  const { _links, _embedded, ...members } = value;
  if (!isObject(_embedded)) return members;
  const embedded = Object.entries(_embedded).map(([name, one]) => {
    const place = pointer + formatPointer(['_embedded', name]);
    if (Object.hasOwn(members, name)) throw memberProblem(place, 'duplicate', name);
    return [name, stripHypermedia(one, place)];
  });
  return { ...members, ...Object.fromEntries(embedded) };
}
