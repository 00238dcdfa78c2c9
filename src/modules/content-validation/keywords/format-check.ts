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

/** The formats that are not checked as ajv-formats does. */
export const OWN_FORMATS = { byte: isBase64, url: isUrl } as const;

/**
 * Base64 (RFC 4648, 4) without line breaks. ajv-formats accepts any text of which one line is Base64, and keeps a
 * position for each four characters: from 5 MB, that exceeds the stack.
 */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

const urlPattern = lazily(() => {
  const { source } = fullFormats.url as RegExp;
  return new RegExp(source.replace('\\S+(?::\\S*)?@', '\\S+@'), 'iu');
});

/**
 * The URLs that ajv-formats accepts, in linear time: it looks for a user name and a password, of which it tries each
 * colon; a text without spaces before the "@" is the same.
 */
function isUrl(text: string): boolean {
  return urlPattern().test(text);
}

function checkOf(name: string): (value: never) => boolean {
  const format: unknown = Reflect.get({ ...fullFormats, ...OWN_FORMATS }, name);
  const validate: unknown =
    typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format;
  if (validate instanceof RegExp) return (text: string) => validate.test(text);
  return typeof validate === 'function' ? (validate as (value: never) => boolean) : () => true;
}
