import {
  editText,
  isObject,
  parseConfiguration,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { MASK } from '../../changes/difference';

/** A value that consists of references to environment variables. */
const VARIABLE = /^(\$\{\w+\})+$/;

/**
 * Masks every secret in the text of a configuration file. Undefined for invalid text, in which secrets cannot be
 * identified.
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
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  if (typeof value === 'object' && value !== null)
    return value.flatMap((inner, at) => leavesOf(inner, [...path, at]));
  return value === null ? [] : [{ path, value }];
}
