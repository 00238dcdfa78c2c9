import {
  problem,
  formatKeyPath,
  valueAt,
  type ConfigEdit,
  type Configuration,
  type KeyPath,
} from '../../../framework';
import { isDefinedInLowerLayer } from './layered-edits';

/** Layers that override `local.json`. */
const HIGHER = /^config\/autoload\/.+\.local\.(json|js)$|^the environment$/;

/**
 * Returns the edit that unsets a path: removes the key from `local.json`, or sets it to null if a lower layer defines
 * it.
 * @throws Problem 409 if a higher layer defines it
 */
export function unsetEdit(configuration: Configuration, path: KeyPath): ConfigEdit {
  const above = configuration.layers.some(
    ({ source, tree }) => HIGHER.test(source) && valueAt(tree, path) !== undefined,
  );
  if (above) throw problem('overruled', { path: formatKeyPath(path), source: configuration.sourceOf(path) });
  return { path, value: isDefinedInLowerLayer(configuration, path) ? null : undefined };
}
