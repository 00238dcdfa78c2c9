import { describeValue } from './describe-value';
import { closestMatch } from './closest-match';

/**
 * Describes what is wrong with the names of options; undefined where all of them are known.
 *
 * @param known the supported names
 * @example
 * unknownOptions({ header: {} }, ['path', 'headers'])
 * // 'unknown option "header". Did you mean "headers"? Supported: path, headers.'
 */
export function unknownOptions(options: unknown, known: readonly string[]): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return `${describeValue(options)} was given. Give an object with options: ${known.join(', ')}.`;
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closestMatch(unknown, known);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `unknown option "${unknown}".${hint} Supported: ${known.join(', ')}.`;
}
