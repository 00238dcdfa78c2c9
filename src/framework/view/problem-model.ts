import type { Problem } from '../problem/problem';
import { JsonModel } from './json-model';

/** A problem shown as `application/problem+json` (RFC 9457). */
export class ProblemModel extends JsonModel {
  readonly problem: Problem;
  readonly #requestId: string | undefined;

  /** @param requestId of the request that the problem answers */
  constructor(problem: Problem, requestId?: string) {
    super(problem, { mediaType: 'application/problem+json' });
    this.problem = problem;
    this.#requestId = requestId;
  }

  override serialize(): unknown {
    return this.#requestId === undefined ? this.problem : this.problem.documentFor(this.#requestId);
  }
}
