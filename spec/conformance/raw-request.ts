import { sendRaw, type RawAnswer } from '../factories/http/raw-http';

/** A request as it is written, one character per octet. */
export interface RawRequest {
  readonly method?: string;
  readonly target: string;
  /** A header value, or several, each on its own line. */
  readonly authorization?: string | readonly string[];
  /** Further header lines. */
  readonly fields?: readonly string[];
  readonly body?: string;
}

/** The longest time a response may take, in milliseconds. */
export const RESPONSE_LIMIT = 15_000;

/** 501 rejects a transfer coding (RFC 9112, 6.1), 505 an HTTP version (RFC 9110, 15.6.6). */
const REFUSALS: ReadonlySet<number> = new Set([501, 505]);

/** The octets of a request that closes its connection. */
function requestOf(question: RawRequest): string {
  const { method = 'GET', target, authorization = [], fields = [], body = '' } = question;
  const lines = typeof authorization === 'string' ? [authorization] : authorization;
  return [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...lines.map((line) => `Authorization: ${line}`),
    ...fields,
    '',
    body,
  ].join('\r\n');
}

/**
 * Sends a request over a new connection.
 * @throws Error when the response hangs or is a 5xx other than for a coding or version: both are always wrong
 */
export async function sendRequest(origin: string, question: RawRequest): Promise<RawAnswer> {
  return send(origin, requestOf(question));
}

/**
 * Sends these octets unchanged; otherwise like {@link sendRequest}.
 * @param pause how long a server that keeps the connection open may take between two parts of a response, in
 * milliseconds
 */
export async function send(origin: string, octets: string, pause = RESPONSE_LIMIT): Promise<RawAnswer> {
  const startedAt = performance.now();
  const answer = await sendRaw(origin, Buffer.from(octets, 'latin1'), pause);
  const took = performance.now() - startedAt;
  if (took > RESPONSE_LIMIT) throw new Error(`The response ${answer.status} took ${took} ms.`);
  if (answer.status >= 500 && !REFUSALS.has(answer.status))
    throw new Error(`The server failed: ${answer.text}`);
  return answer;
}

/** The lines of a header. @param name in lower case */
export function linesOf(answer: RawAnswer, name: string): readonly string[] {
  return answer.fields.filter(([present]) => present === name).map(([, value]) => value);
}
