import {
  problem,
  showPath,
  valueAt,
  type ConfigEdit,
  type Configuration,
  type KeyPath,
} from '../../../framework';
import { standsBelow } from './layered-edits';

/** Layers that `local.json` cannot take anything away from. */
const HIGHER = /^config\/autoload\/.+\.local\.(json|js)$|^the environment$/;

/**
 * The edit that puts an end to what is configured at a path: the key is taken out of `local.json`, or becomes null
 * where a lower layer would say something instead.
 * @throws Problem 409 where a higher layer says it
 */
export function withdraw(configuration: Configuration, path: KeyPath): ConfigEdit {
  const above = configuration.layers.some(
    ({ source, tree }) => HIGHER.test(source) && valueAt(tree, path) !== undefined,
  );
  if (above) throw problem('overruled', { path: showPath(path), source: configuration.sourceOf(path) });
  return { path, value: standsBelow(configuration, path) ? null : undefined };
}
