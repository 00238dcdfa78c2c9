import type { Log } from '../../logging/log';

/**
 * Why the server refuses connections and requests before an application handles them: the name of the limit, `malformed`
 * for what is not HTTP, or `unsupported` for a method, version or transfer coding that the server does not have.
 */
export type RefusalCause =
  | 'max_connections'
  | 'max_connections_per_address'
  | 'max_requests_in_flight'
  | 'queue_timeout'
  | 'max_event_loop_lag'
  | 'max_request_line'
  | 'max_header_size'
  | 'max_header_fields'
  | 'header_timeout'
  | 'request_timeout'
  | 'inactivity_timeout'
  | 'min_data_rate'
  | 'malformed'
  | 'unsupported';

/** How often each cause is logged, in milliseconds. */
const LOG_INTERVAL_MS = 10_000;

interface CauseState {
  total: number;
  unlogged: number;
  /** Since when further refusals wait for a line with their number. */
  pending: { readonly timer: NodeJS.Timeout; write: () => void } | undefined;
}

/** Counts what the server refuses. Survives configuration reloads. */
export class Refusals {
  readonly #causes = new Map<RefusalCause, CauseState>();

  /** How often each cause occurred since the process started. */
  *totals(): Generator<readonly [cause: RefusalCause, total: number]> {
    for (const [cause, { total }] of this.#causes) yield [cause, total];
  }

  /**
   * Counts a refusal. The first one of a cause is logged at once, and those of the ten seconds after it with their
   * number.
   * @param log omitted for causes that are the client's fault: a flood of them must not fill the log
   */
  add(cause: RefusalCause, log?: Log, details: Readonly<Record<string, unknown>> = {}): void {
    const state = this.#stateOf(cause);
    state.total++;
    if (log === undefined) return;
    state.unlogged++;
    const write = (): void => {
      log.warn({ refused: state.unlogged, ...details }, MESSAGES[cause] ?? `Limit reached: server.${cause}.`);
      state.unlogged = 0;
    };
    if (state.pending !== undefined) {
      state.pending.write = write;
      return;
    }
    write();
    this.#waitForMore(state);
  }

  /** Logs the refusals that wait for the end of their ten seconds, before the process ends. */
  flush(): void {
    for (const state of this.#causes.values()) {
      if (state.unlogged > 0) state.pending?.write();
      clearTimeout(state.pending?.timer);
      state.pending = undefined;
    }
  }

  #waitForMore(state: CauseState): void {
    const timer = setTimeout(() => {
      const write = state.pending?.write;
      state.pending = undefined;
      if (state.unlogged === 0) return;
      write?.();
      this.#waitForMore(state);
    }, LOG_INTERVAL_MS);
    state.pending = { timer: timer.unref(), write: () => undefined };
  }

  #stateOf(cause: RefusalCause): CauseState {
    const known = this.#causes.get(cause);
    if (known !== undefined) return known;
    const created: CauseState = { total: 0, unlogged: 0, pending: undefined };
    this.#causes.set(cause, created);
    return created;
  }
}

const MESSAGES: Partial<Record<RefusalCause, string>> = {
  max_connections: 'Refusing connections: server.max_connections is reached.',
  max_connections_per_address: 'Refusing connections: server.max_connections_per_address is reached.',
  max_requests_in_flight:
    'Refusing requests: server.max_requests_in_flight and server.max_queued_requests are reached.',
  queue_timeout: 'Refusing requests: they waited for server.queue_timeout in the queue.',
  max_event_loop_lag: 'Refusing requests: the event loop is delayed by more than server.max_event_loop_lag.',
  inactivity_timeout: 'Closing connections: clients neither read nor send for server.inactivity_timeout.',
  min_data_rate: 'Closing connections: clients read or send more slowly than server.min_data_rate.',
};
