import { randomBytes } from 'node:crypto';
import { parseTraceParent } from './trace-context/trace-parent';

/** The accepted form of `X-Request-Id`: the value is written to logs and header fields unchanged. */
const REQUEST_ID = /^[\w.~-]{1,128}$/;

/**
 * Returns the id that the client sent: `X-Request-Id`, or the trace id of `traceparent`.
 * @returns undefined if neither is present and valid
 */
export function clientRequestId(
  requestId: string | undefined,
  traceParent: string | undefined,
): string | undefined {
  if (requestId !== undefined && REQUEST_ID.test(requestId)) return requestId;
  return traceParent === undefined ? undefined : parseTraceParent(traceParent)?.traceId;
}

/** Generates ids that are unique across processes: a random prefix and a counter. */
export class RequestIds {
  readonly #prefix = randomBytes(9).toString('base64url');
  #count = 0;

  next(): string {
    return `${this.#prefix}-${(this.#count++).toString(36)}`;
  }
}
