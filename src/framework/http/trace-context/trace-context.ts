import { RandomHex } from '../../text/random-hex';
import { formatTraceParent, parseTraceParent } from './trace-parent';
import { formatTraceState, parseTraceState } from './trace-state';

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Process-wide by nature: random bytes have no owner. */
const random = new RandomHex();

/** The members of a {@link TraceContext}. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly isSampled: boolean;
  readonly state?: string | undefined;
}

/** The place of a request in a distributed trace (W3C Trace Context, https://www.w3.org/TR/trace-context-1/). */
export class TraceContext {
  /** The trace of the caller, or a new one: 32 hexadecimal digits. */
  readonly traceId: string;
  /** This request: 16 hexadecimal digits. */
  readonly spanId: string;
  /** The span of the caller; undefined if this service begins the trace. */
  readonly parentId: string | undefined;
  /** Whether the trace may be recorded, as the caller or the tracing SDK has decided. */
  readonly isSampled: boolean;
  /** The `tracestate` of the caller, if it is valid. */
  readonly state: string | undefined;

  constructor({ traceId, spanId, parentId, isSampled, state }: TraceIds) {
    this.traceId = traceId;
    this.spanId = spanId;
    this.parentId = parentId;
    this.isSampled = isSampled;
    this.state = state;
  }

  /**
   * The header fields that continue the trace in another service.
   * @example
   * await fetch(url, { headers: context.trace.headers });
   */
  get headers(): Record<string, string> {
    const { traceId, spanId: parentId, isSampled, state } = this;
    const traceparent = formatTraceParent({ traceId, parentId, isSampled });
    return state === undefined ? { traceparent } : { traceparent, tracestate: state };
  }
}

/**
 * Continues the trace of a caller, or begins one. Malformed fields are ignored, and `tracestate` is ignored without a
 * valid `traceparent` (W3C Trace Context, 4.3).
 */
export function traceContextOf(parent: string | undefined, state: string | undefined): TraceContext {
  const caller = parent === undefined ? undefined : parseTraceParent(parent);
  const spanId = random.next(SPAN_ID_BYTES);
  if (caller === undefined)
    return new TraceContext({ traceId: random.next(TRACE_ID_BYTES), spanId, isSampled: false });
  const members = state === undefined ? undefined : parseTraceState(state);
  return new TraceContext({
    ...caller,
    spanId,
    state: members === undefined || members.size === 0 ? undefined : formatTraceState(members),
  });
}
