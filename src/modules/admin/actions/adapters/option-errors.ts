import type { TSchema } from '@sinclair/typebox';
import {
  schemaErrors,
  formatPointer,
  memberAt,
  parsePointer,
  type ConfigObject,
  type SchemaError,
} from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';

/**
 * Validates options against their schema; one error per field.
 * @param options the options to save
 */
export function optionErrors(schema: TSchema, options: ConfigObject): readonly FieldError[] {
  const errors = new Map<string, string>();
  for (const error of schemaErrors(options, schema)) {
    const pointer = pointerOf(error);
    // A union reports its branches first: the error of the union replaces theirs.
    if (!errors.has(pointer) || error.keyword === 'anyOf') errors.set(pointer, messageFor(error, options));
  }
  return [...errors].map(([pointer, message]) => ({ pointer: `/options${pointer}`, message }));
}

function pointerOf({ instancePath, params }: SchemaError): string {
  const { missingProperty, additionalProperty }: Record<string, unknown> = params;
  const member = missingProperty ?? additionalProperty;
  return typeof member === 'string' ? instancePath + formatPointer([member]) : instancePath;
}

function messageFor(
  { instancePath, keyword, params, parentSchema, message = 'is invalid' }: SchemaError,
  options: ConfigObject,
): string {
  const hint: unknown = parentSchema?.hint;
  const { allowedValues, allowedValue, type, limit }: Record<string, unknown> = params;
  switch (keyword) {
    case 'required':
      return 'This field is required.';
    case 'additionalProperties':
      return 'Unknown option.';
    case 'minLength':
      return limit === 1 ? 'This field is required.' : `Enter at least ${String(limit)} characters.`;
    case 'minItems':
      return limit === 1 ? 'Choose at least one.' : `Choose at least ${String(limit)}.`;
    case 'enum':
      return `Allowed values: ${JSON.stringify(allowedValues)}.`;
    case 'const':
      return `Allowed value: ${JSON.stringify(allowedValue)}.`;
    case 'type':
      return `Must be of type ${String(type)}.`;
    default:
      if (typeof hint === 'string') return hint;
      // The pattern or format of a field says less than that it was left empty.
      return memberAt(options, parsePointer(instancePath)) === '' ? 'Must not be empty.' : `This ${message}.`;
  }
}
