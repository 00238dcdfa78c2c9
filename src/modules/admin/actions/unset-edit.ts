import {
  problem,
  formatKeyPath,
  valueAt,
  type ConfigEdit,
  type Configuration,
  type KeyPath,
} from '../../../framework';
import { HIGHER_LAYER, isDefinedInLowerLayer } from './layered-edits';

/**
 * Returns the edit that unsets a path: removes the key from `local.json`, or sets it to null if a lower layer defines
 * it.
 * @throws Problem 409 if a higher layer defines it
 */
export function unsetEdit(configuration: Configuration, path: KeyPath): ConfigEdit {
  const above = configuration.layers.some(
    ({ source, tree }) => HIGHER_LAYER.test(source) && valueAt(tree, path) !== undefined,
  );
  if (above) throw problem('overruled', { path: formatKeyPath(path), source: configuration.sourceOf(path) });
  return { path, value: isDefinedInLowerLayer(configuration, path) ? null : undefined };
}
