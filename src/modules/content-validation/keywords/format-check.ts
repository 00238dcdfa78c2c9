import { fullFormats } from 'ajv-formats/dist/formats';
import { lazily } from '../../../framework';

/** The formats of numbers; the others are formats of texts. */
const NUMBER_FORMATS: readonly string[] = ['double', 'float', 'int32', 'int64'];

/** Whether a format restricts values of a type: `int32` allows every text. @param name one of the supported formats */
export function restrictsType(name: string, type: string): boolean {
  return NUMBER_FORMATS.includes(name) ? type === 'number' || type === 'integer' : type === 'string';
}

/** Returns how validators check a format, for values of its type. @param name one of the supported formats */
export function formatCheck(name: string): (value: never) => boolean {
  // The module of formats is loaded by the first value.
  const check = lazily(() => checkOf(name));
  return (value) => check()(value);
}

/**
 * The URLs that ajv-formats accepts, in linear time: it looks for a user name and a password, of which it tries each
 * colon; a text without spaces before the "@" is the same.
 */
export function urlFormat(): RegExp {
  const { source } = fullFormats.url as RegExp;
  return new RegExp(source.replace('\\S+(?::\\S*)?@', '\\S+@'), 'iu');
}

function checkOf(name: string): (value: never) => boolean {
  const format: unknown = name === 'url' ? urlFormat() : Reflect.get(fullFormats, name);
  const validate: unknown =
    typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format;
  if (validate instanceof RegExp) return (text: string) => validate.test(text);
  return typeof validate === 'function' ? (validate as (value: never) => boolean) : () => true;
}
