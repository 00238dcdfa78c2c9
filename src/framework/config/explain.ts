import { isTree, type ConfigTree, type ConfigValue, type KeyPath } from './tree';

/** A value of the effective configuration, and what there is to know about it. */
export interface ExplainedValue {
  readonly path: KeyPath;
  /** As it is in force, secrets too: mask it where `secret` says so. */
  readonly value: ConfigValue;
  /** The file with line and column, the module, or the environment. */
  readonly source: string;
  /** Whether nobody else may see it: by schema, by the name of its key, or since a variable brought it. */
  readonly secret: boolean;
  /** Whether only a restart takes a new value up. */
  readonly restart: boolean;
  /** The text of the file, where it names environment variables and holds no secret itself. */
  readonly written?: string;
}

/**
 * The paths of the leaves of a tree: single values, empty maps, and lists of single values, but for lists that
 * add up, whose members come from several files.
 */
export function leavesOf(
  tree: ConfigTree,
  isAdditive: (path: KeyPath) => boolean,
): readonly { readonly path: KeyPath; readonly value: ConfigValue }[] {
  const visit = (
    value: ConfigValue,
    path: KeyPath,
  ): readonly { readonly path: KeyPath; readonly value: ConfigValue }[] => {
    if (isTree(value) && Object.keys(value).length > 0) {
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
