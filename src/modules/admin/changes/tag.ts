import { createHash } from 'node:crypto';
import { isObject, type ConfigValue } from '../../../framework';

/**
 * The strong validator of a value of the configuration, without quotes (RFC 9110, 8.8.3): equal for equal values,
 * whatever the order of their keys.
 */
export function tagOf(value: ConfigValue | undefined): string {
  const text = value === undefined ? '' : JSON.stringify(inOrder(value));
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

function inOrder(value: ConfigValue): ConfigValue {
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return Object.fromEntries(
      keys.flatMap((key) => (value[key] === undefined ? [] : [[key, inOrder(value[key])]])),
    );
  }
  return typeof value === 'object' && value !== null ? value.map(inOrder) : value;
}
