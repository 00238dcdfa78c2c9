import { isObject, valueAt, type ConfigEdit, type ConfigValue, type KeyPath } from '../../../../framework';
import { isSameValue } from './same-value';

/**
 * Computes the edits that change one value into another. Only leaves that differ are written, so that values of lower
 * layers and references to environment variables are kept. Removed members become null, which also removes the
 * values of lower layers. Lists are replaced as a whole.
 *
 * @param path of the value
 * @param current the effective value
 */
export function editsBetween(
  path: KeyPath,
  current: ConfigValue | undefined,
  target: ConfigValue | undefined,
): readonly ConfigEdit[] {
  if (isSameValue(current, target)) return [];
  if (!isObject(current) || !isObject(target)) return [{ path, value: target ?? null }];
  const keys = new Set([...Object.keys(current), ...Object.keys(target)]);
  return [...keys].flatMap((key) =>
    editsBetween([...path, key], valueAt(current, [key]), valueAt(target, [key])),
  );
}

/** Returns an edit as those of the members of its value: other layers may have further ones. */
export function leavesOf({ path, value }: ConfigEdit): readonly ConfigEdit[] {
  if (!isObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, member]) => leavesOf({ path: [...path, key], value: member }));
}
