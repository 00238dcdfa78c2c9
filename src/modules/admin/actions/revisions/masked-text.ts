import { editText, isTree, parseConfiguration, type ConfigValue, type KeyPath } from '../../../../framework';
import { MASK } from '../../changes/difference';

/** A value that only names an environment variable. */
const VARIABLE = /^(\$\{\w+\})+$/;

/**
 * The text of a configuration file with a mask for every secret; everything else is as it is. Undefined for a text
 * that cannot be parsed: nobody could tell what of it is secret.
 */
export function maskedText(text: string, isSecret: (path: KeyPath) => boolean): string | undefined {
  try {
    const secrets = leavesOf(parseConfiguration(text), []).filter(
      ({ path, value }) => isSecret(path) && !(typeof value === 'string' && VARIABLE.test(value)),
    );
    return editText(
      text,
      secrets.map(({ path }) => ({ path, value: MASK })),
    );
  } catch {
    return undefined;
  }
}

interface Leaf {
  readonly path: KeyPath;
  readonly value: ConfigValue;
}

function leavesOf(value: ConfigValue, path: KeyPath): readonly Leaf[] {
  if (isTree(value)) return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  if (typeof value === 'object' && value !== null)
    return value.flatMap((inner, at) => leavesOf(inner, [...path, at]));
  return value === null ? [] : [{ path, value }];
}
