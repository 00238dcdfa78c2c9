import { hasPathPrefix, valueAt, type ConfigObject, type ConfigValue } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import type { OptionField } from './option-field';

/** A form field with its value, for templates. */
export interface FilledField extends OptionField {
  readonly value: string;
  /** The values of the selected choices. */
  readonly chosen: readonly string[];
  /** Whether a secret is set; an empty field keeps it. */
  readonly isSet: boolean;
  /** Whether a secret was submitted, which the form does not contain again. */
  readonly wasEntered: boolean;
}

/** Fills the fields with the values of options. */
export function fillFromOptions(
  fields: readonly OptionField[],
  options: ConfigObject,
): readonly FilledField[] {
  return fields.map((field) => {
    const value = field.path.length === 0 ? othersOf(fields, options) : valueAt(options, field.path);
    return { ...field, ...formatValue(field, value), isSet: value !== undefined, wasEntered: false };
  });
}

/** Fills the fields with the submitted values, except secrets. */
export function fillFromForm(
  fields: readonly OptionField[],
  form: URLSearchParams,
  current: ConfigObject,
): readonly FilledField[] {
  return fields.map((field) => {
    const isSecret = field.control.startsWith('secret');
    const submitted = form.get(field.name) ?? '';
    return {
      ...field,
      value: isSecret ? '' : submitted,
      chosen: form.getAll(field.name),
      isSet: isSecret && valueAt(current, field.path) !== undefined,
      wasEntered: isSecret && submitted !== '',
    };
  });
}

/** Assigns errors to the fields that contain their option; other errors apply to the form as a whole. */
export function errorsAtFields(
  fields: readonly OptionField[],
  errors: readonly FieldError[],
): readonly FieldError[] {
  return errors.map(({ pointer, message }) => {
    if (!pointer.startsWith('/options')) return { pointer, message };
    const own = fields.filter(({ name }) => hasPathPrefix(pointer, name));
    const closest = own.sort((a, b) => b.name.length - a.name.length)[0]?.name ?? '';
    const key = pointer.slice('/options/'.length);
    return { pointer: closest, message: closest === '' && key !== '' ? `${key}: ${message}` : message };
  });
}

function formatValue(
  { control, isOnByDefault }: OptionField,
  value: ConfigValue | undefined,
): { readonly value: string; readonly chosen: readonly string[] } {
  if (value === undefined)
    return { value: '', chosen: control === 'checkbox' && isOnByDefault ? ['on'] : [] };
  switch (control) {
    case 'secret':
    case 'secret-json':
      return { value: '', chosen: [] };
    case 'checkbox':
      return { value: '', chosen: value === true ? ['on'] : [] };
    case 'select':
      return { value: JSON.stringify(value), chosen: [JSON.stringify(value)] };
    case 'checkboxes':
      return { value: '', chosen: Array.isArray(value) ? value.map((one) => JSON.stringify(one)) : [] };
    case 'lines':
      return { value: Array.isArray(value) ? value.join('\n') : '', chosen: [] };
    case 'json':
      return { value: JSON.stringify(value, null, 2), chosen: [] };
    case 'text':
    case 'number':
      return { value: typeof value === 'string' ? value : JSON.stringify(value), chosen: [] };
  }
}

/** Returns the options without a field of their own. */
function othersOf(fields: readonly OptionField[], options: ConfigObject): ConfigObject | undefined {
  const own = new Set(fields.map(({ path: [key] }) => key));
  const rest = Object.entries(options).filter(([key]) => !own.has(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
