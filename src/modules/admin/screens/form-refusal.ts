import { isObject, type Problem } from '../../../framework';
import type { FieldError } from '../changes/field-errors';

/** What a refusal says of the fields of its form; of none, it is about the whole. */
export function formRefusal({ detail, extensions: { errors } }: Problem): readonly FieldError[] {
  const own = Array.isArray(errors) ? errors.filter(isFieldError) : [];
  return own.length > 0 ? own : [{ pointer: '', message: detail }];
}

/** The refusals after which a form is shown again; others are no matter of what was typed. */
export function isCorrectable({ status }: Problem): boolean {
  return [409, 422, 507].includes(status);
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value.pointer === 'string' && typeof value.message === 'string';
}
