import { problem, type Problem } from '../../../framework';

/** A validation error of one field. */
export interface FieldError {
  /** The field as a JSON Pointer (RFC 6901) into the input, `/options/realm`; empty for the input as a whole. */
  readonly pointer: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Creates the problem for invalid fields of a form, a body or a query: 422 with the fields in `errors`. */
export function invalid(errors: readonly FieldError[]): Problem {
  return problem('failed_validation', { count: errors.length, part: 'request' }, { extensions: { errors } });
}
