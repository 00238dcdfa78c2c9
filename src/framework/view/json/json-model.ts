import type { Steps } from '../../values/steps';
import type { Problem } from '../../problem/problem';
import { ViewModel } from '../view-model';

/** Rendered as JSON. For JSON of another shape, extend it and override `serialize`. */
export class JsonModel extends ViewModel {
  static override readonly cacheable = true;

  /** Returns the value to serialize. */
  serialize(): unknown {
    return this.content;
  }

  /** Serializes in steps. Override it together with `serialize` for large cacheable content. */
  *serializeInSteps(): Steps<unknown> {
    yield;
    return this.serialize();
  }
}

/** A problem, rendered as `application/problem+json` (RFC 9457). */
export class ProblemModel extends JsonModel {
  readonly problem: Problem;
  readonly #requestId: string | undefined;
  readonly #errorsUrl: string | undefined;

  /**
   * @param requestId the id of the request
   * @param errorsUrl the URL of the error reference
   */
  constructor(problem: Problem, requestId?: string, errorsUrl?: string) {
    super(problem, { mediaType: 'application/problem+json' });
    this.problem = problem;
    this.#requestId = requestId;
    this.#errorsUrl = errorsUrl;
  }

  override serialize(): unknown {
    return this.#requestId === undefined
      ? this.problem
      : this.problem.documentFor(this.#requestId, this.#errorsUrl);
  }
}
