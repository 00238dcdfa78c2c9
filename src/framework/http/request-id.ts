import { randomBytes } from 'node:crypto';

/** An id that a client may give a request: it goes to logs and fields as it is. */
const SANE = /^[\w.~-]{1,128}$/;

/** `traceparent` of W3C Trace Context, 3.2: version, trace id, parent id, flags; later versions may add more. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/**
 * The id that a request brings with it.
 * @param given `X-Request-Id`
 * @param traceParent `traceparent`, of which the trace id is taken
 * @returns undefined where it brings none that can be used
 */
export function givenRequestId(
  given: string | undefined,
  traceParent: string | undefined,
): string | undefined {
  if (given !== undefined && SANE.test(given)) return given;
  return traceParent === undefined ? undefined : TRACE_PARENT.exec(traceParent)?.[1];
}

/** Makes ids that no other process makes, without asking for random numbers each time. */
export class RequestIds {
  readonly #prefix = randomBytes(9).toString('base64url');
  #count = 0;

  next(): string {
    return `${this.#prefix}-${(this.#count++).toString(36)}`;
  }
}
