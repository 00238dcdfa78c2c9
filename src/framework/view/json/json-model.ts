import type { RenderSteps } from '../../events/cooperative';
import type { Problem } from '../../problem/problem';
import { ViewModel } from '../view-model';

/** Shown as JSON. Extend it for a format that is JSON of another shape, and override `serialize`. */
export class JsonModel extends ViewModel {
  static override readonly cacheable = true;

  /** What `JSON.stringify` gets. */
  serialize(): unknown {
    return this.content;
  }

  /** The same in steps; to be overridden beside `serialize` where what is kept takes long to make. */
  *serializeInSteps(): RenderSteps<unknown> {
    yield;
    return this.serialize();
  }
}

/** A problem shown as `application/problem+json` (RFC 9457). */
export class ProblemModel extends JsonModel {
  readonly problem: Problem;
  readonly #requestId: string | undefined;
  readonly #errorsUrl: string | undefined;

  /**
   * @param requestId of the request that the problem answers
   * @param errorsUrl where the error reference is served
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
