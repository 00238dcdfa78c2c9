import { isObject, Problem } from '../../../framework';
import { PasswordEditError } from '../../mvc-auth';
import type { FieldError } from '../changes/field-errors';

/** The statuses after which a form is shown again, to be corrected or retried. */
const CORRECTABLE: readonly number[] = [409, 422, 507];

/** Whether the user can correct or retry the form. */
export function isCorrectable({ status }: Problem): boolean {
  return CORRECTABLE.includes(status);
}

/** Returns the errors of a problem by form field; a problem without any applies to the form as a whole. */
export function fieldErrorsOf({ detail, extensions: { errors } }: Problem): readonly FieldError[] {
  const own = Array.isArray(errors) ? errors.filter(isFieldError) : [];
  return own.length > 0 ? own : [{ pointer: '', message: detail }];
}

/** Converts an error to errors of form fields. @throws errors that the user cannot correct */
export function toFormErrors(error: unknown): readonly FieldError[] {
  if (error instanceof PasswordEditError) return [{ pointer: '', message: error.message }];
  if (!(error instanceof Problem) || (error.status >= 500 && !isCorrectable(error))) throw error;
  return fieldErrorsOf(error);
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value.pointer === 'string' && typeof value.message === 'string';
}
