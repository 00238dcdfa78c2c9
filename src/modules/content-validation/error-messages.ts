import type { ErrorObject } from 'ajv/dist/2020';
import { describeSizeLimit, truncate } from '../../framework';

/** The error message for members that the schema does not allow. */
export const UNKNOWN_MEMBER = 'unknown member';

/** The error message for numbers that are not doubles. */
export const ROUNDED =
  'exceeds the precision or the range of a double (IEEE 754): round it, or send a string if the schema allows one';

/** Values that a message lists: the documentation of the operation lists all. */
const MAX_VALUES = 20;

/** Characters of the texts of a schema in a message. */
const MAX_TEXT = 500;

/** Writes the messages of the errors of a value: once for each keyword of a schema, however many items break it. */
export class ErrorMessages {
  readonly #lists = new Map<unknown, string>();
  readonly #choices = new Map<unknown, string>();
  readonly #constants = new Map<unknown, string>();
  readonly #shortened = new Map<unknown, string>();

  of({ keyword, params, message = 'is invalid' }: ErrorObject): string {
    const { allowedValues, allowedValue, names, passingSchemas, type, limit }: Record<string, unknown> =
      params;
    switch (keyword) {
      case 'required':
        return 'is required';
      case 'type':
        return Array.isArray(type) ? `must be ${type.join(' or ')}` : message;
      case 'additionalProperties':
      case 'unevaluatedProperties':
        return UNKNOWN_MEMBER;
      case 'x-read-only':
        return 'is read-only';
      case 'enum':
        return `must be one of: ${this.#listText(allowedValues as readonly unknown[])}`;
      case 'x-sort-by':
        return `must be a comma-separated list of: ${this.#listText(names as readonly unknown[])}; each at most once, prefixed with "-" for descending order`;
      case 'const':
        return `must be ${once(this.#constants, allowedValue, jsonText)}`;
      case 'not':
        return 'is a value that is not allowed';
      case 'oneOf':
        return Array.isArray(passingSchemas) ? 'matches more than one of the schemas in oneOf' : message;
      default:
        return describeSizeLimit(keyword, limit) ?? this.#shorten(message);
    }
  }

  #shorten(message: string): string {
    // Truncated texts are not shared, unlike those of generated code.
    return message.length <= MAX_TEXT
      ? message
      : once(this.#shortened, message, (text) => truncate(text, MAX_TEXT));
  }

  #listText(values: readonly unknown[]): string {
    return once(this.#lists, values, () => {
      const listed: string[] = [];
      let length = 0;
      for (const value of values) {
        const text = once(this.#choices, value, choiceText);
        length += text.length;
        if (listed.length === MAX_VALUES || (length > MAX_TEXT && listed.length > 0)) break;
        listed.push(text);
      }
      const others = values.length - listed.length;
      return others === 0 ? listed.join(', ') : `${listed.join(', ')} … and ${others} more`;
    });
  }
}

function once<Key>(known: Map<unknown, string>, key: Key, write: (key: Key) => string): string {
  const text = known.get(key) ?? write(key);
  known.set(key, text);
  return text;
}

/** A value among others: a word without quotation marks. */
function choiceText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/+-]+$/u.test(value)
    ? truncate(value, MAX_TEXT)
    : jsonText(value);
}

function jsonText(value: unknown): string {
  return truncate(JSON.stringify(value), MAX_TEXT);
}
