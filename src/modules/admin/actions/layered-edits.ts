import {
  isTree,
  problem,
  showPath,
  valueAt,
  type ConfigEdit,
  type Configuration,
  type ConfigTree,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import { editsBetween } from '../changes/edits';

const LOCAL = 'config/autoload/local.json';
/** What stands above it. */
const ABOVE = /^config\/autoload\/.*\.local\.(json|js)$|^the environment$/;

/**
 * As {@link editsBetween}, but what no layer below `local.json` says is taken out of it instead of being overruled
 * with null, and what a lower layer says of a value that comes anew is taken away.
 * @throws Problem 409 for what is to be taken away and stands above `local.json`
 */
export function layeredEdits(
  configuration: Configuration,
  path: KeyPath,
  wanted: ConfigValue | undefined,
): readonly ConfigEdit[] {
  const lower = below(configuration);
  return editsBetween(path, configuration.valueAt(path), wanted).map((edit) => {
    if (edit.value === null) {
      if (isSaidAbove(configuration, edit.path)) {
        const source = configuration.sourceOf(edit.path);
        throw problem('overruled', { path: showPath(edit.path), source });
      }
      const isSaid = lower.some((tree) => (valueAt(tree, edit.path) ?? null) !== null);
      return isSaid ? edit : { ...edit, value: undefined };
    }
    const value = lower.reduce<ConfigValue | undefined>(
      (value, tree) => covering(value, valueAt(tree, edit.path)),
      edit.value,
    );
    return { ...edit, value };
  });
}

/** What stands at a path in layers that `local.json` covers, whether it is in force or taken away. */
export function standsBelow(configuration: Configuration, path: KeyPath): boolean {
  return below(configuration).some((tree) => (valueAt(tree, path) ?? null) !== null);
}

function below({ layers }: Configuration): readonly ConfigTree[] {
  return layers.filter(({ source }) => source !== LOCAL && !ABOVE.test(source)).map(({ tree }) => tree);
}

function isSaidAbove({ layers }: Configuration, path: KeyPath): boolean {
  return layers.some(({ source, tree }) => ABOVE.test(source) && (valueAt(tree, path) ?? null) !== null);
}

/** The value with nulls for the members that a lower layer has and it has not. */
function covering(value: ConfigValue | undefined, lower: ConfigValue | undefined): ConfigValue | undefined {
  if (!isTree(value) || !isTree(lower)) return value;
  const members = Object.entries(lower).flatMap(([key, member]): [string, ConfigValue][] => {
    if (Object.hasOwn(value, key)) return [[key, covering(value[key], member) ?? null]];
    return member === null ? [] : [[key, null]];
  });
  return { ...value, ...Object.fromEntries(members) };
}
