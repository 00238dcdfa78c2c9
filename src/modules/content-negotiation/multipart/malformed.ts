import { problem, type Problem } from '../../../framework';

/** Returns the problem with a form that cannot be parsed. @param reason a sentence */
export function malformed(reason: string, cause?: unknown): Problem {
  return problem('bad_body', { reason: `the form is not well-formed: ${reason}` }, { cause });
}
