import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/configuration';
import { pathsWhere } from '../../json-schema/schema-tree';
import type { KeyPath } from '../../values/config-object';

/** Returns the paths that require a restart and whose values differ between two configurations. */
export function restartKeysChanged(started: Configuration, next: Configuration): readonly KeyPath[] {
  const paths = new Map(
    [...started.schemas, ...next.schemas]
      .flatMap(([key, schema]) => pathsWhere(schema, [key], ({ restart }) => restart === true))
      // The entries of maps are not compared.
      .filter((path) => !path.includes('*'))
      .map((path) => [JSON.stringify(path), path]),
  );
  return [...paths.values()].filter((path) => !isDeepStrictEqual(started.valueAt(path), next.valueAt(path)));
}
