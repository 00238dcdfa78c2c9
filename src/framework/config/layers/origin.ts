import type { Layer } from './layer';
import { valueAt, type ConfigValue, type KeyPath } from '../../values/config-object';

/** The layer of a value, and its path there, which differs for members of additive lists. */
export interface Origin {
  readonly layer: Layer;
  readonly path: KeyPath;
}

/**
 * Finds the origin of the value at a path: the highest layer that sets it; for a member of an additive list, the
 * lowest layer that has it, after the last that removed the list.
 *
 * @param value the effective value at the path
 */
export function originOf(
  layers: readonly Layer[],
  path: KeyPath,
  value: ConfigValue | undefined,
  isAdditive: (path: KeyPath) => boolean,
): Origin | undefined {
  const list = path.slice(0, -1);
  if (typeof path.at(-1) !== 'number' || !isAdditive(list)) return highestLayer(layers, path);
  let found: Origin | undefined;
  for (const layer of layers) {
    const members = valueAt(layer.tree, list);
    if (members === null) found = undefined;
    const at = Array.isArray(members) ? members.indexOf(value) : -1;
    if (at >= 0) found ??= { layer, path: [...list, at] };
  }
  return found ?? highestLayer(layers, path);
}

function highestLayer(layers: readonly Layer[], path: KeyPath): Origin | undefined {
  const layer = [...layers].reverse().find(({ tree }) => valueAt(tree, path) !== undefined);
  return layer === undefined ? undefined : { layer, path };
}

/** Formats the source, with line and column if available. */
export function showOrigin(origin: Origin | undefined): string {
  if (origin === undefined) return 'the configuration';
  const { layer, path } = origin;
  return layer.locate === undefined ? layer.source : `${layer.source}:${layer.locate(path)}`;
}
