import {
  isObject,
  LOCAL_FILE,
  problem,
  formatKeyPath,
  valueAt,
  type ConfigEdit,
  type Configuration,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import type { CopyEdit } from '../changes/change';
import { editsBetween } from '../changes/comparison/edits';

/** The sources of layers that override `local.json`. */
export const HIGHER_LAYER = /^config\/autoload\/.*\.local\.(json|js)$|^the environment$/;

/**
 * Like {@link editsBetween}, but removes keys from `local.json` that no lower layer defines instead of setting them
 * to null, and sets keys of lower layers to null that the target lacks.
 * @throws Problem 409 for a key to remove that a higher layer defines
 */
export function layeredEdits(
  configuration: Configuration,
  path: KeyPath,
  target: ConfigValue | undefined,
): readonly ConfigEdit[] {
  const lower = below(configuration);
  return editsBetween(path, configuration.valueAt(path), target).map((edit) => {
    if (edit.value === null) {
      if (isDefinedAbove(configuration, edit.path)) {
        const source = configuration.sourceOf(edit.path);
        throw problem('overruled', { path: formatKeyPath(edit.path), source });
      }
      const isDefinedBelow = lower.some((tree) => (valueAt(tree, edit.path) ?? null) !== null);
      return isDefinedBelow ? edit : { ...edit, value: undefined };
    }
    const value = lower.reduce<ConfigValue | undefined>(
      (value, tree) => withLowerKeysNulled(value, valueAt(tree, edit.path)),
      edit.value,
    );
    return { ...edit, value };
  });
}

/** Returns edits with the paths that they copy: of a value, and of what is below it. */
export function copiesOf(from: KeyPath, to: KeyPath, edits: readonly ConfigEdit[]): readonly CopyEdit[] {
  return edits.map((edit) => ({ ...edit, copyOf: [...from, ...edit.path.slice(to.length)] }));
}

/**
 * Like {@link layeredEdits}, of a copy: with references instead of the values of environment variables, which may be secret,
 * or change.
 */
export function copyEdits(configuration: Configuration, from: KeyPath, to: KeyPath): readonly CopyEdit[] {
  return copiesOf(from, to, layeredEdits(configuration, to, configuration.writtenAt(from)));
}

/** Whether a layer below `local.json` defines a path, even if the value is overridden or removed. */
export function isDefinedInLowerLayer(configuration: Configuration, path: KeyPath): boolean {
  return below(configuration).some((tree) => (valueAt(tree, path) ?? null) !== null);
}

function below({ layers }: Configuration): readonly ConfigObject[] {
  return layers
    .filter(({ source }) => source !== LOCAL_FILE && !HIGHER_LAYER.test(source))
    .map(({ tree }) => tree);
}

function isDefinedAbove({ layers }: Configuration, path: KeyPath): boolean {
  return layers.some(
    ({ source, tree }) => HIGHER_LAYER.test(source) && (valueAt(tree, path) ?? null) !== null,
  );
}

/** Adds null members for keys that only the lower layer has. */
function withLowerKeysNulled(
  value: ConfigValue | undefined,
  lower: ConfigValue | undefined,
): ConfigValue | undefined {
  if (!isObject(value) || !isObject(lower)) return value;
  const members = Object.entries(lower).flatMap(([key, member]): [string, ConfigValue][] => {
    if (Object.hasOwn(value, key)) return [[key, withLowerKeysNulled(value[key], member) ?? null]];
    return member === null ? [] : [[key, null]];
  });
  return { ...value, ...Object.fromEntries(members) };
}
