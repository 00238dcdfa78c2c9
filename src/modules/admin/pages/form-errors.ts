import { isObject, Problem } from '../../../framework';
import { PasswordEditError } from '../../mvc-auth';
import type { FieldError } from '../changes/field-errors';

const STORAGE_FULL = 507;

/** The statuses after which a form is shown again, to be corrected, retried, or submitted with a part of it. */
const CORRECTABLE: readonly number[] = [403, 409, 422, 503, STORAGE_FULL];

/** Whether the form of a change is shown again after a problem: it has what the user has typed. */
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
  if (!(error instanceof Problem) || (error.status >= 500 && error.status !== STORAGE_FULL)) throw error;
  return fieldErrorsOf(error);
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value.pointer === 'string' && typeof value.message === 'string';
}
