import { DEFAULTS } from '../../config/configuration';
import type { WrittenValue } from '../../config/layers/environment';
import type { Layer } from '../../config/layers/layer';
import type { ConfigObject } from '../../values/config-object';
import type { ListedModule } from '../modules/module-list';

/** A layer without what locates its values. */
export interface LayerSnapshot {
  readonly source: string;
  readonly tree: ConfigObject;
  readonly written?: readonly WrittenValue[];
}

/**
 * The configuration of an application as plain data: another process builds an application with exactly these values
 * from it, whatever happened to the files since.
 */
export interface ConfigurationSnapshot {
  /** The list in `config/application.json`. */
  readonly modules: readonly ListedModule[];
  /** Of the files and the environment, lowest first. */
  readonly layers: readonly LayerSnapshot[];
  readonly warnings: readonly string[];
}

/** Returns the layers without those of the modules, which every process has itself. */
export function snapshotLayers(layers: readonly Layer[]): readonly LayerSnapshot[] {
  return layers
    .filter(({ source }) => !source.startsWith(DEFAULTS))
    .map(({ source, tree, written }) => ({ source, tree, ...(written === undefined ? {} : { written }) }));
}
