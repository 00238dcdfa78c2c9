import { setMaxListeners } from 'node:events';
import { isObject, objectOf, parseJson } from '../../../framework';

/** What limits a request. */
export interface FetchLimits {
  /** In milliseconds, for the whole exchange. */
  readonly timeout: number;
  /** Of the response body. */
  readonly maxBytes: number;
  /** Aborted when the adapter is disposed. */
  readonly signal: AbortSignal;
}

/** A response. */
export interface JsonResponse {
  readonly status: number;
  /** Undefined for an error whose body is not JSON. */
  readonly json: unknown;
  /** Seconds; undefined without them. */
  readonly retryAfter: number | undefined;
}

/**
 * Sends a request, and returns the status with the response as JSON. It follows no redirect, which could lead anywhere.
 * @throws Error with a reason for the log, which never contains what was sent
 */
export async function fetchJson(
  url: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { timeout, maxBytes, signal }: FetchLimits,
): Promise<JsonResponse> {
  const deadline = AbortSignal.timeout(timeout);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  // Node 20 never forgets what AbortSignal.any() has derived from a signal, such as that of the adapter.
  setMaxListeners(0, signal);
  for (const one of [deadline, signal]) one.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: ending.signal });
    if (response.status >= 300 && response.status < 400)
      throw new Error(`it responded ${response.status}, a redirect, which is not followed`);
    const json = parseJson((await readBounded(response, maxBytes)).toString('utf8'));
    if (json === undefined && response.ok) throw new Error('its response is not JSON');
    return { status: response.status, json, retryAfter: secondsOf(response.headers.get('retry-after')) };
  } catch (error) {
    if (deadline.aborted)
      throw new Error(`it did not respond within ${timeout / 1_000} seconds`, { cause: error });
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    for (const one of [deadline, signal]) one.removeEventListener('abort', end);
  }
}

/** Reads the body of a response. @throws Error for a longer one */
export async function readBounded({ body }: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`its response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Seconds of `Retry-After`, which may be a date instead. */
function secondsOf(field: string | null): number | undefined {
  return field !== null && /^\d{1,6}$/.test(field) ? Number(field) : undefined;
}

/** `fetch` reports most failures as "fetch failed"; their cause says more. */
function reasonOf(error: unknown): string {
  const { message, cause, code } = objectOf(error);
  if (isObject(cause)) return reasonOf(cause);
  return typeof message === 'string' && message !== '' ? message : String(code ?? error);
}
