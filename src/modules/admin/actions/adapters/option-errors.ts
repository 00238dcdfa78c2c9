import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { pointerOf, type ConfigTree } from '../../../../framework';
import type { FieldError } from '../invalid';

/**
 * What is wrong with options by their schema, one error a field.
 * @param options as they would be written
 */
export function optionErrors(schema: TSchema, options: ConfigTree): readonly FieldError[] {
  const ajv = addFormats(
    new Ajv2020({ allErrors: true, verbose: true, strict: false, allowUnionTypes: true }),
  );
  const validate = ajv.compile(schema);
  if (validate(options)) return [];
  const errors = new Map<string, string>();
  for (const error of validate.errors ?? []) {
    const pointer = placeOf(error);
    // A union reports each of its branches before itself: the last word is the whole.
    if (!errors.has(pointer) || error.keyword === 'anyOf') errors.set(pointer, sentenceOf(error));
  }
  return [...errors].map(([pointer, message]) => ({ pointer: `/options${pointer}`, message }));
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty }: Record<string, unknown> = params;
  const member = missingProperty ?? additionalProperty;
  return typeof member === 'string' ? instancePath + pointerOf([member]) : instancePath;
}

function sentenceOf({ keyword, params, parentSchema, message = 'is wrong' }: ErrorObject): string {
  const hint: unknown = parentSchema?.hint;
  const { allowedValues, allowedValue, type, limit }: Record<string, unknown> = params;
  switch (keyword) {
    case 'required':
      return 'This is needed.';
    case 'additionalProperties':
      return 'There is no such option.';
    case 'minLength':
      return limit === 1 ? 'This is needed.' : `At least ${String(limit)} characters are needed.`;
    case 'minItems':
      return limit === 1 ? 'At least one is needed.' : `At least ${String(limit)} are needed.`;
    case 'enum':
      return `Allowed is one of ${JSON.stringify(allowedValues)}.`;
    case 'const':
      return `Allowed is ${JSON.stringify(allowedValue)}.`;
    case 'type':
      return `This must be of type ${String(type)}.`;
    default:
      return typeof hint === 'string' ? hint : `This ${message}.`;
  }
}
