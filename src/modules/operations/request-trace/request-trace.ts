/** What a listener did: went on, ended the phase with a response, returned something else, or threw. */
type TraceOutcome = 'continued' | 'responded' | 'returned' | 'threw';

/** The call of a listener. */
export interface TracedCall {
  readonly kind: 'listener';
  /** The event manager: of the application, or of the view. */
  readonly of: 'application' | 'view';
  /** The name of the event. */
  readonly event: string;
  /** The name of the listener, e.g. `FrameworkListeners.match`. */
  readonly listener: string;
  readonly priority: number;
  /** Identifies the listener within its event manager. */
  readonly sequence: number;
  /** The name of a module, `framework`, or `runtime`. */
  readonly module: string;
  /** File and line, relative to the project or the package. */
  readonly source: string | null;
  /** In milliseconds since the request arrived. */
  readonly start: number;
  /** In milliseconds; includes the listeners of events that it triggers. */
  readonly duration: number;
  readonly outcome: TraceOutcome;
  /** The status of the response, the class of what was returned, or the error; null if it went on. */
  readonly detail: string | null;
}

/** A statement of a database. Parameters are not recorded. */
interface TracedStatement {
  readonly kind: 'statement';
  /** The configured name of the database adapter. */
  readonly adapter: string;
  /** With placeholders for parameters, truncated. */
  readonly text: string;
  readonly start: number;
  readonly duration: number;
  readonly rows: number | null;
  /** Why it failed, e.g. `unique`. */
  readonly error: string | null;
}

export type TraceEntry = TracedCall | TracedStatement;

/** A request in the list of traces. */
export interface TraceSummary {
  /** The request id. */
  readonly id: string;
  /** When the request arrived, in ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Null if no response was sent. */
  readonly status: number | null;
  /** The error code of a problem response. */
  readonly code: string | null;
  /** In milliseconds, until the response was complete or the client disconnected. */
  readonly duration: number;
  /** Null for guests. */
  readonly user: string | null;
  /** The operation, e.g. `Atlas-v2/Country entity GET`; null if none was found. */
  readonly operation: string | null;
}

/**
 * Everything that happened for one request. Contains no credentials, cookies, bodies and query values, and no messages
 * of errors, which may quote them.
 */
export interface RequestTrace extends TraceSummary {
  /** W3C Trace Context. */
  readonly trace_id: string;
  readonly span_id: string;
  /** The names of the query parameters. */
  readonly query: readonly string[];
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean;
  /** Whether further entries were not recorded. */
  readonly truncated: boolean;
  /** In the order of their start; an entry that contains another one precedes it. */
  readonly entries: readonly TraceEntry[];
}
