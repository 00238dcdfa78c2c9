import type { Problem } from '../problem/problem';
import { JsonModel } from './json-model';

/** A problem shown as `application/problem+json` (RFC 9457). */
export class ProblemModel extends JsonModel {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem, { mediaType: 'application/problem+json' });
    this.problem = problem;
  }
}
