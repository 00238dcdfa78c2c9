import { isObject, Problem, type MaybePromise, type MvcEvent } from '../../../../framework';
import { PasswordEditError } from '../../../mvc-auth';
import type { FieldError } from '../../changes/field-errors';

const UNPROCESSABLE = 422;

/** The statuses after which a form is shown again, to be corrected, retried, or submitted with a part of it. */
const CORRECTABLE: readonly number[] = [403, 409, UNPROCESSABLE, 503, 507];

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
function toFormErrors(error: unknown): readonly FieldError[] {
  if (error instanceof PasswordEditError) return [{ pointer: '', message: error.message }];
  if (!(error instanceof Problem) || (error.status >= 500 && !isCorrectable(error))) throw error;
  return fieldErrorsOf(error);
}

/** Gives the response the status and the header fields of a problem that its page shows. */
export function respondWith({ response }: MvcEvent, { status, fields }: Problem): void {
  response.status = status;
  for (const [name, value] of fields) response.fields.set(name, value);
}

/** Shows a form again with an error, and responds with it. @throws errors that the user cannot correct */
export async function shownAgain<Page>(
  event: MvcEvent,
  error: unknown,
  show: (errors: readonly FieldError[]) => MaybePromise<Page>,
): Promise<Page> {
  const page = await show(toFormErrors(error));
  if (error instanceof Problem) respondWith(event, error);
  else event.response.status = UNPROCESSABLE;
  return page;
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value.pointer === 'string' && typeof value.message === 'string';
}
