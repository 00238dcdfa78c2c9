import { whatIs } from './what-is';
import { nearest } from './nearest';

/**
 * What is wrong with the options that something was called with; undefined where all of them are known.
 *
 * @param known the names that there are
 * @example
 * optionsFault({ header: {} }, ['path', 'headers'])
 * // 'there is no option "header". Did you mean "headers"? There is: path, headers.'
 */
export function optionsFault(options: unknown, known: readonly string[]): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return `${whatIs(options)} was given. Give an object with options: ${known.join(', ')}.`;
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = nearest(unknown, known);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `there is no option "${unknown}".${hint} There is: ${known.join(', ')}.`;
}
