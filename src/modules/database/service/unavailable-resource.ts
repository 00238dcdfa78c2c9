import { problem, type Problem } from '../../../framework';
import type { AnyResource } from '../../hosting';

/** The resource of a service that has no table: its database cannot be reached, or does not fit it. */
export class UnavailableResource implements AnyResource {
  readonly checksPreconditions = true;
  readonly #reason: () => Problem;

  /** @param reason the problem of every request */
  constructor(reason: () => Problem) {
    this.#reason = reason;
  }

  /** @throws Problem 503 */
  readonly #refuse = (): never => {
    throw this.#reason();
  };

  readonly fetch = this.#refuse;
  readonly fetchAll = this.#refuse;
  readonly streamAll = this.#refuse;
  readonly queryAll = this.#refuse;
  readonly streamQuery = this.#refuse;
  readonly create = this.#refuse;
  readonly createList = this.#refuse;
  readonly replaceList = this.#refuse;
  readonly patchList = this.#refuse;
  readonly deleteList = this.#refuse;
  readonly update = this.#refuse;
  readonly patch = this.#refuse;
  readonly delete = this.#refuse;

  revision(): undefined {
    return undefined;
  }
}

/** The problem of a database that has not been reached since the start. */
export function unreached(): Problem {
  return problem('database_unavailable', {}, { fields: [['Retry-After', '2']] });
}
