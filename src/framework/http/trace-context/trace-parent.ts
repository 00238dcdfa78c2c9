/** The fields of a valid `traceparent`. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span of the caller: 16 hexadecimal digits. */
  readonly parentId: string;
  /** Whether the caller may have recorded the trace. */
  readonly isSampled: boolean;
}

/** Version, trace id, parent id and flags; versions after 00 may append fields (W3C Trace Context, 3.2 and 4.3). */
const TRACE_PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const SAMPLED = 1;

/** Parses `traceparent`. @returns undefined for a malformed value, which is ignored (W3C Trace Context, 3.2.2.3) */
export function parseTraceParent(value: string): TraceParent | undefined {
  const [, version, traceId, parentId, flags, more] = TRACE_PARENT.exec(value) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Formats `traceparent` in version 00, with the only flag that it has (W3C Trace Context, 3.2). */
export function formatTraceParent({ traceId, parentId, isSampled }: TraceParent): string {
  return `00-${traceId}-${parentId}-0${isSampled ? SAMPLED : 0}`;
}
