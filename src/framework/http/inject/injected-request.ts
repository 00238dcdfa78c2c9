import { isUint8Array } from 'node:util/types';
import { describeValue } from '../../text/describe-value';
import { unknownOptions } from '../../text/unknown-options';

/** Header fields in any form that `fetch` accepts; several lines of a field are a list, or repeated pairs. */
type InjectedFields =
  | Readonly<Record<string, string | readonly string[]>>
  | Iterable<readonly [name: string, value: string | readonly string[]]>;

/** A request that is handled without a socket. */
export interface InjectedRequest {
  /** Defaults to `GET`. */
  readonly method?: string;
  /** The encoded path and query. */
  readonly path: string;
  /** An object, a `Headers`, a `Map`, or a list of pairs. */
  readonly headers?: InjectedFields;
  readonly body?: string | Uint8Array;
  /** The JSON body, with the type `application/json` unless `headers` has another type; excludes `body`. */
  readonly json?: unknown;
  /** Aborting it disconnects the client. */
  readonly signal?: AbortSignal;
}

/** The option names of {@link InjectedRequest}. */
export const requestOptionNames = ['method', 'path', 'headers', 'body', 'json', 'signal'] as const;

/** A line of a header field. */
type FieldLine = readonly [name: string, value: string];

/** A request as it is sent. */
export interface SerializedRequest {
  readonly lines: readonly FieldLine[];
  readonly content: string | Uint8Array | undefined;
}

/**
 * Returns the field lines and the content of a request. Adds `Content-Length`, as a body of GET or DELETE needs one,
 * and `Content-Type` for JSON.
 *
 * @param where the called function, for messages
 * @param known the valid options
 * @throws TypeError for unknown options and invalid values
 */
export function serializeRequest(
  request: Partial<InjectedRequest>,
  where: string,
  known: readonly string[] = requestOptionNames,
): SerializedRequest {
  const message = unknownOptions(request, known);
  if (message !== undefined) throw new TypeError(`${where}: ${message}`);
  const content = contentOf(request, where);
  const lines = toFieldLines(request.headers, where);
  const has = (field: string): boolean => lines.some(([name]) => name.toLowerCase() === field);
  const defaults: FieldLine[] = [];
  if (request.json !== undefined && !has('content-type')) defaults.push(['Content-Type', 'application/json']);
  if (content !== undefined && !has('content-length') && !has('transfer-encoding'))
    defaults.push(['Content-Length', String(Buffer.byteLength(content))]);
  return { lines: [...defaults, ...lines], content };
}

function contentOf({ body, json }: Partial<InjectedRequest>, where: string): string | Uint8Array | undefined {
  if (json === undefined) {
    if (body === undefined || typeof body === 'string' || isUint8Array(body)) return body;
    throw new TypeError(
      `${where}: body is ${describeValue(body)}. Pass a string or a Uint8Array; to send JSON, use "json".`,
    );
  }
  if (body !== undefined)
    throw new TypeError(`${where}: "json" and "body" are mutually exclusive. Pass one of them.`);
  // `JSON.stringify` returns undefined for functions and symbols, contrary to its type.
  const text = JSON.stringify(json) as string | undefined;
  if (text !== undefined) return text;
  throw new TypeError(`${where}: json is ${describeValue(json)}, which cannot be serialized as JSON.`);
}

/**
 * Converts header fields to field lines.
 * @param fields {@link InjectedFields}, unvalidated
 * @param where the called function, for messages
 * @throws TypeError for an unsupported form
 */
export function toFieldLines(fields: unknown, where: string): readonly FieldLine[] {
  if (fields === undefined) return [];
  if (typeof fields !== 'object' || fields === null) {
    throw new TypeError(
      `${where}: headers is ${describeValue(fields)}. Pass an object, a Headers, a Map, or a list of pairs: { Accept: 'text/html' }.`,
    );
  }
  if (!isIterable(fields)) {
    return Object.entries(fields).flatMap(([name, value]) => linesOf(name, value, where));
  }
  return Array.from(fields).flatMap((pair, at) => {
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') {
      throw new TypeError(
        `${where}: headers[${at}] is ${describeValue(pair)}. Pass a pair of name and value: ['Accept', 'text/html'].`,
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
      `${where}: the field ${name} is ${describeValue(line)}. Pass a string or a list of strings.`,
    );
  });
}

function isIterable(fields: object): fields is Iterable<unknown> {
  return Symbol.iterator in fields;
}
