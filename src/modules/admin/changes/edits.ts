import { isObject, valueAt, type ConfigEdit, type ConfigValue, type KeyPath } from '../../../framework';
import { tagOf } from './tag';

/**
 * The edits that make one value of another: only leaves that differ are written, so that what lower layers say,
 * and environment variables that values name, stay as they are. What is to be gone becomes null, which takes
 * away what lower layers say too. Lists are replaced as a whole.
 *
 * @param path where the value stands
 * @param current the effective value; undefined where there is none
 */
export function editsBetween(
  path: KeyPath,
  current: ConfigValue | undefined,
  wanted: ConfigValue | undefined,
): readonly ConfigEdit[] {
  if (tagOf(current) === tagOf(wanted)) return [];
  if (!isObject(current) || !isObject(wanted)) return [{ path, value: wanted ?? null }];
  const keys = new Set([...Object.keys(current), ...Object.keys(wanted)]);
  return [...keys].flatMap((key) =>
    editsBetween([...path, key], valueAt(current, [key]), valueAt(wanted, [key])),
  );
}
