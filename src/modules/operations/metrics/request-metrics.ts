import { refusalOf, sentStatus, type Endpoint, type MvcEvent, type Problem } from '../../../framework';
import { isHosted, operationId } from '../../hosting';
import { OperationCounters, type OperationLabels } from './operation-counters';

/** Modules may throw problems with any code: further ones are counted as `other`. */
const MAX_CODES = 500;

/** Outcomes of authentication. `challenge` is a 401 without credentials. */
export type AuthenticationOutcome =
  'success' | 'failure' | 'stale' | 'challenge' | 'throttled' | 'unavailable';

/** What was counted during a time. */
export interface CountedRequests {
  readonly operations: readonly (readonly [labels: OperationLabels, values: Float64Array])[];
  readonly problems: ReadonlyMap<string, number>;
  readonly authentications: ReadonlyMap<string, ReadonlyMap<AuthenticationOutcome, number>>;
}

/** What the requests of the process were, since it started: survives reloads. */
export class RequestMetrics {
  /** By their labels, so that an operation keeps its counters when the configuration is reloaded. */
  readonly #operations = new Map<string, OperationCounters>();
  #problems = new Map<string, number>();
  #authentications = new Map<string, Map<AuthenticationOutcome, number>>();

  /** Of the operations that had requests. */
  get operations(): Iterable<OperationCounters> {
    return this.#operations.values();
  }

  /** Problem responses by their code. */
  get problems(): ReadonlyMap<string, number> {
    return this.#problems;
  }

  /** By adapter. */
  get authentications(): ReadonlyMap<string, ReadonlyMap<AuthenticationOutcome, number>> {
    return this.#authentications;
  }

  /** The counters with these labels, created on first use. */
  operation(labels: OperationLabels): OperationCounters {
    const key = JSON.stringify(Object.values(labels));
    const known = this.#operations.get(key);
    if (known !== undefined) return known;
    const created = new OperationCounters(labels);
    this.#operations.set(key, created);
    return created;
  }

  countProblem(code: string, count = 1): void {
    const key = this.#problems.has(code) || this.#problems.size < MAX_CODES ? code : 'other';
    this.#problems.set(key, (this.#problems.get(key) ?? 0) + count);
  }

  countAuthentication(adapter: string, outcome: AuthenticationOutcome, count = 1): void {
    const outcomes = this.#authentications.get(adapter) ?? new Map<AuthenticationOutcome, number>();
    this.#authentications.set(adapter, outcomes);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  }

  /**
   * Returns what was counted since the last call, and starts again from zero: for another process to add.
   * @internal
   */
  take(): CountedRequests {
    const operations = [...this.#operations.values()].flatMap((counters) => {
      const values = counters.take();
      return values === undefined ? [] : [[counters.labels, values] as const];
    });
    const taken = { operations, problems: this.#problems, authentications: this.#authentications };
    this.#problems = new Map();
    this.#authentications = new Map();
    return taken;
  }

  /**
   * Adds what another process has taken.
   * @internal
   */
  add({ operations, problems, authentications }: CountedRequests): void {
    for (const [labels, values] of operations) this.operation(labels).add(values);
    for (const [code, count] of problems) this.countProblem(code, count);
    for (const [adapter, outcomes] of authentications)
      for (const [outcome, count] of outcomes) this.countAuthentication(adapter, outcome, count);
  }
}

/** Counts the requests of one application. */
export class RequestCounter {
  readonly #metrics: RequestMetrics;
  /** By endpoint; by method for requests without an endpoint, such as for unknown paths. */
  readonly #counters = new Map<Endpoint | string, OperationCounters>();

  constructor(metrics: RequestMetrics) {
    this.#metrics = metrics;
  }

  /** Counts a completed request. */
  count(event: MvcEvent): void {
    const { endpoint, outgoing, problem, guard } = event;
    const seconds = (performance.now() - event.startedAt) / 1_000;
    const counters = this.#countersOf(endpoint, event.request.method);
    const bytes = refusalOf(outgoing)?.bytes ?? event.response.sentBytes;
    counters.count(sentStatus(outgoing) ?? 0, seconds, bytes);
    if (problem !== undefined) this.#metrics.countProblem(problem.code ?? String(problem.status));
    if (guard !== undefined) this.#countAuthentication(event);
  }

  #countersOf(endpoint: Endpoint | undefined, method: string): OperationCounters {
    // The endpoint of GET also responds to HEAD.
    if (endpoint !== undefined && method === 'HEAD')
      return this.#metrics.operation(labelsOf(endpoint, method));
    const key = endpoint ?? method;
    const known = this.#counters.get(key);
    if (known !== undefined) return known;
    const counters = this.#metrics.operation(labelsOf(endpoint, method));
    this.#counters.set(key, counters);
    return counters;
  }

  /** The adapter that succeeded is known; a refusal is one of all adapters that accept the scheme. */
  #countAuthentication(event: MvcEvent): void {
    const { guard, authenticated, identity, problem, request } = event;
    if (guard === undefined) return;
    if (authenticated !== undefined) {
      const adapter = authenticated.adapter ?? guard.adaptersForRequest(request)[0]?.name;
      if (adapter !== undefined) this.#metrics.countAuthentication(adapter, 'success');
      return;
    }
    if (problem === undefined || identity?.isGuest === false) return;
    const hasCredentials = guard.hasCredentials(request);
    const outcome = outcomeOf(problem, hasCredentials, event.staleCredentials === true);
    if (outcome === undefined) return;
    const concerned = hasCredentials ? guard.adaptersForRequest(request) : guard.adapters;
    for (const { name } of concerned) this.#metrics.countAuthentication(name, outcome);
  }
}

function outcomeOf(
  { status, code }: Problem,
  hasCredentials: boolean,
  isStale: boolean,
): AuthenticationOutcome | undefined {
  if (code === 'too_many_failures' || code === 'too_many_sign_ins') return 'throttled';
  if (code === 'overloaded' || code === 'sign_in_unavailable') return 'unavailable';
  if (status !== 401) return undefined;
  if (!hasCredentials) return 'challenge';
  return isStale ? 'stale' : 'failure';
}

function labelsOf(endpoint: Endpoint | undefined, method: string): OperationLabels {
  if (!isHosted(endpoint))
    return { api: '', version: '', service: '', operation: endpoint?.name ?? '', method };
  const { api, version, service } = endpoint;
  return { api, version: String(version), service, operation: operationId(endpoint), method };
}
