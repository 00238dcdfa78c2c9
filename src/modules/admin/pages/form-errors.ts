import { Problem } from '../../../framework';
import { PasswordEditError } from '../../mvc-auth';

/** What is wrong with a form, for the macros `errors` and `field`. */
export interface FieldError {
  /** The field, as a JSON Pointer: `/name`; empty for the form as a whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Nothing was changed; to be tried again when there is room (RFC 4918, 11.5). */
const CANNOT_WRITE = 507;

/** What a refusal says of the fields of its form. @throws what is no refusal */
export function formErrorsOf(error: unknown): readonly FieldError[] {
  if (error instanceof PasswordEditError) return [{ pointer: '', message: error.message }];
  if (!(error instanceof Problem) || (error.status >= 500 && error.status !== CANNOT_WRITE)) throw error;
  const { errors } = error.extensions;
  const own = Array.isArray(errors) ? errors.filter(isFormError) : [];
  return own.length > 0 ? own : [{ pointer: '', message: error.detail }];
}

function isFormError(value: unknown): value is FieldError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pointer' in value &&
    typeof value.pointer === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
