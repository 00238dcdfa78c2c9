import { Timestamps, type MvcEvent } from '../../../framework';
import { isHosted, operationId } from '../../hosting';

/** A request that was answered with an error. */
export interface RecentError {
  /** In ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Without the query, shortened. */
  readonly path: string;
  readonly status: number;
  /** The error code of the problem, if it has one. */
  readonly code: string | undefined;
  readonly title: string;
  /** The documented operation id; undefined if no operation matches. */
  readonly operation: string | undefined;
  readonly requestId: string;
}

/** Of each class. */
const MAX_ERRORS = 50;
const MAX_PATH = 200;

/** The latest errors. A flood of 4xx does not displace the 5xx. Survives reloads. */
export class RecentErrors {
  /** Oldest first. */
  readonly #client: RecentError[] = [];
  readonly #server: RecentError[] = [];
  readonly #timestamps = new Timestamps();

  /** Called with what is recorded here: for another process to {@link add}. */
  onRecord: ((error: RecentError) => void) | undefined;

  /** Records a completed request with a problem. */
  record({ problem, request, endpoint }: MvcEvent): void {
    if (problem === undefined) return;
    const error = {
      at: this.#timestamps.of(Date.now()),
      method: request.method,
      path: shortened(request.path),
      status: problem.status,
      code: problem.code,
      title: problem.title,
      operation: isHosted(endpoint) ? operationId(endpoint) : endpoint?.name,
      requestId: request.id,
    };
    this.add(error);
    this.onRecord?.(error);
  }

  add(error: RecentError): void {
    const list = error.status >= 500 ? this.#server : this.#client;
    list.push(error);
    if (list.length > MAX_ERRORS) list.shift();
  }

  /** The latest ones, newest first. */
  latest(serverErrors: number, clientErrors: number): readonly RecentError[] {
    return [...this.#server.slice(-serverErrors), ...this.#client.slice(-clientErrors)].sort((a, b) =>
      a.at < b.at ? 1 : -1,
    );
  }
}

function shortened(path: string): string {
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH)}…`;
}
