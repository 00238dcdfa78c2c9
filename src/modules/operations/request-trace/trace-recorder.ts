import {
  abortOf,
  authenticationEvents,
  isObject,
  refusalOf,
  Response,
  sentStatus,
  truncate,
  type ListenerCall,
  type MvcEvent,
} from '../../../framework';
import type { StatementMessage } from '../../database';
import type {} from '../../mvc-auth';
import { describeError } from './describe-error';
import type { RequestTrace, TracedCall, TraceEntry } from './request-trace';

/** The entries of a trace: their size limits its memory. */
const MAX_ENTRIES = 500;
const MAX_TEXT = 1_000;
const MAX_NAMES = 50;

/** The events that an error ends which a listener returns, as one that it throws does. */
const ENDED_BY_ERRORS: readonly string[] = ['route', 'dispatch', 'render', ...authenticationEvents];

/** Records what happens for one request. */
export class TraceRecorder {
  readonly #event: MvcEvent;
  readonly #at: Date;
  readonly #shorten: (file: string) => string;
  readonly #entries: TraceEntry[] = [];
  #isTruncated = false;
  #end: Pick<RequestTrace, 'status' | 'duration' | 'aborted'> | undefined;

  /** @param shorten makes the path of a source file relative */
  constructor(event: MvcEvent, shorten: (file: string) => string) {
    this.#event = event;
    // It may have waited in the queue.
    this.#at = new Date(Date.now() - (performance.now() - event.startedAt));
    this.#shorten = shorten;
  }

  addCall(of: TracedCall['of'], call: ListenerCall): void {
    if (this.#isFull()) return;
    const { name, owner, source, priority, sequence } = call.describe();
    this.#entries.push({
      kind: 'listener',
      of,
      event: call.name,
      listener: truncate(name, MAX_TEXT),
      priority,
      sequence,
      module: owner,
      source: source === undefined ? null : this.#shorten(source),
      start: rounded(call.started - this.#event.startedAt),
      duration: rounded(call.duration),
      ...this.#outcomeOf(call),
    });
  }

  addStatement({ adapter, text, started, duration, rows, error }: StatementMessage): void {
    if (this.#isFull()) return;
    this.#entries.push({
      kind: 'statement',
      adapter,
      text: truncate(text, MAX_TEXT),
      start: rounded(started - this.#event.startedAt),
      duration: rounded(duration),
      rows: rows ?? null,
      error: error?.kind ?? (rows === undefined ? 'unknown' : null),
    });
  }

  /** Notes the end of the request: the response was sent, or the client has disconnected. */
  close(): void {
    const { outgoing, startedAt } = this.#event;
    this.#end = {
      status: sentStatus(outgoing),
      duration: rounded(performance.now() - startedAt),
      aborted: abortOf(outgoing) === 'client',
    };
  }

  /** Returns the trace. A request may still be handled for some time after its client has disconnected. */
  trace(): RequestTrace {
    const { request, endpoint, identity, outgoing, traceId, spanId } = this.#event;
    const problem = refusalOf(outgoing) ?? this.#event.problem;
    const { status, duration, aborted } = this.#end ?? { status: null, duration: 0, aborted: true };
    return {
      id: request.id,
      at: this.#at.toISOString(),
      method: truncate(request.method, MAX_TEXT),
      path: truncate(request.path, MAX_TEXT),
      status,
      code: status === null ? null : (problem?.code ?? null),
      duration,
      user: identity?.name ?? null,
      operation: endpoint?.name ?? null,
      trace_id: traceId,
      span_id: spanId,
      query: [...new Set(request.query.keys())].slice(0, MAX_NAMES).map((name) => truncate(name, MAX_TEXT)),
      aborted,
      truncated: this.#isTruncated,
      // The call that contains another one ends later, and is added later.
      entries: this.#entries.sort((a, b) => a.start - b.start || b.duration - a.duration),
    };
  }

  #isFull(): boolean {
    if (this.#entries.length < MAX_ENTRIES) return false;
    this.#isTruncated = true;
    return true;
  }

  #outcomeOf({ name, result, thrown }: ListenerCall): Pick<TracedCall, 'outcome' | 'detail'> {
    const isFailure = result instanceof Error && ENDED_BY_ERRORS.includes(name);
    const failed = isFailure ? { error: result } : thrown;
    if (failed !== undefined) return { outcome: 'threw', detail: describeError(failed.error, this.#shorten) };
    if (result === undefined) return { outcome: 'continued', detail: null };
    if (result instanceof Response) return { outcome: 'responded', detail: String(result.status) };
    return { outcome: 'returned', detail: truncate(classOf(result), MAX_TEXT) };
  }
}

/** The class of an object, whose own members clients may have sent. */
function classOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const constructor: unknown = isObject(prototype) ? prototype.constructor : undefined;
  return typeof constructor === 'function' ? constructor.name : 'object';
}

/** Microseconds are the resolution of the clock. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
