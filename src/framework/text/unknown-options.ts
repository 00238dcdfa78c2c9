import { isObject } from '../values/config-object';
import { describeValue } from './describe-value';
import { didYouMean } from './closest-match';

/**
 * Describes an unknown option; returns undefined if all options are known.
 *
 * @param known the supported names
 * @example
 * unknownOptions({ header: {} }, ['path', 'headers'])
 * // 'unknown option "header". Did you mean "headers"? Supported: path, headers.'
 */
export function unknownOptions(options: unknown, known: readonly string[]): string | undefined {
  if (!isObject(options)) {
    return `${describeValue(options)} was passed. Pass an object with options: ${known.join(', ')}.`;
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  return `unknown option "${unknown}".${didYouMean(unknown, known)} Supported: ${known.join(', ')}.`;
}
