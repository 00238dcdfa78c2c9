import { createHash } from 'node:crypto';
import { isObject, type ConfigValue } from '../../../framework';

/**
 * Returns the strong validator of a configuration value, without quotes (RFC 9110, 8.8.3). The order of keys does not
 * matter.
 */
export function tagOf(value: ConfigValue | undefined): string {
  const text = value === undefined ? '' : JSON.stringify(sortKeys(value));
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

function sortKeys(value: ConfigValue): ConfigValue {
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return Object.fromEntries(
      keys.flatMap((key) => (value[key] === undefined ? [] : [[key, sortKeys(value[key])]])),
    );
  }
  return typeof value === 'object' && value !== null ? value.map(sortKeys) : value;
}
