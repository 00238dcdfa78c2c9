import { isUint8Array } from 'node:util/types';
import { describeValue } from '../../text/describe-value';
import { unknownOptions } from '../../text/unknown-options';

/** Header fields in any of the forms that `fetch` takes; a field of several lines has a list of them, or comes again. */
type InjectedFields =
  | Readonly<Record<string, string | readonly string[]>>
  | Iterable<readonly [name: string, value: string | readonly string[]]>;

/** A request that needs no connection. */
export interface InjectedRequest {
  /** `GET` unless told. */
  readonly method?: string;
  /** Path and query, encoded as they would be sent. */
  readonly path: string;
  /** An object, a `Headers`, a `Map`, or a list of pairs. */
  readonly headers?: InjectedFields;
  readonly body?: string | Uint8Array;
  /** Sent as a JSON body, labelled as `application/json` unless `headers` says otherwise; not beside `body`. */
  readonly json?: unknown;
  /** The client leaves when it is aborted. */
  readonly signal?: AbortSignal;
}

/** The options of a request, for those who look for others. */
export const requestOptionNames = ['method', 'path', 'headers', 'body', 'json', 'signal'] as const;

/** A line of a header field. */
type FieldLine = readonly [name: string, value: string];

/** What a request says, as it would be sent. */
export interface SerializedRequest {
  readonly lines: readonly FieldLine[];
  readonly content: string | Uint8Array | undefined;
}

/**
 * The lines and the content of a request. The content's length is said, as a body of GET or DELETE would have no end
 * without it; so is its type, where it is JSON and nothing else is said.
 *
 * @param where what was called, for messages
 * @param known the options that there are
 * @throws TypeError for an option that there is not, and one that is of no use
 */
export function serializeRequest(
  request: Partial<InjectedRequest>,
  where: string,
  known: readonly string[] = requestOptionNames,
): SerializedRequest {
  const fault = unknownOptions(request, known);
  if (fault !== undefined) throw new TypeError(`${where}: ${fault}`);
  const content = contentOf(request, where);
  const lines = toFieldLines(request.headers, where);
  const has = (field: string): boolean => lines.some(([name]) => name.toLowerCase() === field);
  const own: FieldLine[] = [];
  if (request.json !== undefined && !has('content-type')) own.push(['Content-Type', 'application/json']);
  if (content !== undefined && !has('content-length') && !has('transfer-encoding'))
    own.push(['Content-Length', String(Buffer.byteLength(content))]);
  return { lines: [...own, ...lines], content };
}

function contentOf({ body, json }: Partial<InjectedRequest>, where: string): string | Uint8Array | undefined {
  if (json === undefined) {
    if (body === undefined || typeof body === 'string' || isUint8Array(body)) return body;
    throw new TypeError(
      `${where}: body is ${describeValue(body)}. Give a text or a Uint8Array; what is to be sent as JSON is given as "json".`,
    );
  }
  if (body !== undefined)
    throw new TypeError(`${where}: "json" and "body" are both given. Give one of them.`);
  // Undefined for what JSON does not know, whatever its type says.
  const text = JSON.stringify(json) as string | undefined;
  if (text !== undefined) return text;
  throw new TypeError(`${where}: json is ${describeValue(json)}, which JSON has no text for.`);
}

/**
 * One line after another, as they would be sent.
 * @param fields {@link InjectedFields}, unless plain JavaScript gives something else
 * @param where what was called, for messages
 * @throws TypeError for what is no form of header fields
 */
export function toFieldLines(fields: unknown, where: string): readonly FieldLine[] {
  if (fields === undefined) return [];
  if (typeof fields !== 'object' || fields === null) {
    throw new TypeError(
      `${where}: headers is ${describeValue(fields)}. Give an object, a Headers, a Map, or a list of pairs: { Accept: 'text/html' }.`,
    );
  }
  if (!isIterable(fields)) {
    return Object.entries(fields).flatMap(([name, value]) => linesOf(name, value, where));
  }
  return Array.from(fields).flatMap((pair, at) => {
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') {
      throw new TypeError(
        `${where}: headers[${at}] is ${describeValue(pair)}. Give a pair, a name and a value: ['Accept', 'text/html'].`,
      );
    }
    return linesOf(pair[0], pair[1], where);
  });
}

function linesOf(name: string, value: unknown, where: string): readonly FieldLine[] {
  const lines: readonly unknown[] = Array.isArray(value) ? value : [value];
  return lines.map((line) => {
    if (typeof line === 'string') return [name, line];
    throw new TypeError(
      `${where}: the field ${name} is ${describeValue(line)}. Give a text, or a list of texts.`,
    );
  });
}

function isIterable(fields: object): fields is Iterable<unknown> {
  return Symbol.iterator in fields;
}
