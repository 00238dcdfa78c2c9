import { isObject, type ConfigObject, type ConfigValue, type KeyPath } from '../values/config-object';

/** A value of the effective configuration, and its metadata. */
export interface ExplainedValue {
  readonly path: KeyPath;
  /** The effective value, also of secrets: mask it where `secret` is true. */
  readonly value: ConfigValue;
  /** The file with line and column, the module, or the environment. */
  readonly source: string;
  /** Whether it must not be shown: by schema, by the name of its key, or because an environment variable set it. */
  readonly secret: boolean;
  /** Whether a new value requires a restart. */
  readonly restart: boolean;
  /** The text in the file, where it names environment variables and holds no secret itself. */
  readonly written?: string;
}

/**
 * Lists the leaves of a tree: scalars, empty objects, and lists of scalars. The members of additive lists, which come from
 * several files, are leaves of their own.
 */
export function leaves(
  tree: ConfigObject,
  isAdditive: (path: KeyPath) => boolean,
): readonly { readonly path: KeyPath; readonly value: ConfigValue }[] {
  const visit = (
    value: ConfigValue,
    path: KeyPath,
  ): readonly { readonly path: KeyPath; readonly value: ConfigValue }[] => {
    if (isObject(value) && Object.keys(value).length > 0) {
      return Object.entries(value).flatMap(([key, member]) => visit(member, [...path, key]));
    }
    if (Array.isArray(value) && value.length > 0 && (isAdditive(path) || value.some(isBranch))) {
      return value.flatMap((member: ConfigValue, at) => visit(member, [...path, at]));
    }
    return [{ path, value }];
  };
  return Object.entries(tree).flatMap(([key, value]) => visit(value, [key]));
}

function isBranch(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
