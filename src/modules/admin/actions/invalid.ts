import { problem, type Problem } from '../../../framework';

/** Something that is wrong with one field of what somebody asks for. */
export interface FieldError {
  /** The field as a JSON Pointer (RFC 6901) into what was sent: `/options/realm`. */
  readonly pointer: string;
  /** A sentence that says what to do. */
  readonly message: string;
}

/** The refusal of what has wrong fields: 422, with each of them in `errors`. */
export function invalid(errors: readonly FieldError[]): Problem {
  return problem('failed_validation', { count: errors.length }, { extensions: { errors } });
}
