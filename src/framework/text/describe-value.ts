import { isClass } from '../values/is-class';
import { truncate } from './truncate';

/** Longer strings are truncated. */
const MAX_LENGTH = 40;

/**
 * Describes an unexpected value, for messages.
 *
 * @example
 * describeValue('Milk') // 'the string "Milk"'
 * describeValue(Books) // 'the class Books'
 * describeValue(new Map()) // 'an instance of Map'
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${JSON.stringify(truncate(value, MAX_LENGTH))}`;
    case 'function':
      return `${isClass(value) ? 'the class' : 'a function'} ${value.name}`.trimEnd();
    case 'symbol':
    case 'bigint':
      return `a ${typeof value}`;
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : ofClass(value);
    default:
      return String(value);
  }
}

function ofClass(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  const name = typeof constructor === 'function' ? constructor.name : '';
  return name === '' || name === 'Object' ? 'an object' : `an instance of ${name}`;
}
