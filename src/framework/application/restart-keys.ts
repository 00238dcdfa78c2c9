import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../config/configuration';
import type { KeyPath } from '../config/tree';

/** The paths that only a restart takes up, and whose values differ between two configurations. */
export function changedForRestart(started: Configuration, next: Configuration): readonly KeyPath[] {
  const paths = new Map(
    [...started.schemas, ...next.schemas]
      .flatMap(([key, schema]) => restartPaths(schema, [key]))
      .map((path) => [JSON.stringify(path), path]),
  );
  return [...paths.values()].filter((path) => !isDeepStrictEqual(started.valueAt(path), next.valueAt(path)));
}

/** The declared members whose schema says `restart: true`; a map's entries, which may be many, are not looked at. */
function restartPaths(schema: unknown, path: KeyPath): readonly KeyPath[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Reflect.get(schema, 'restart') === true) return [path];
  const members: unknown = Reflect.get(schema, 'properties');
  if (typeof members !== 'object' || members === null) return [];
  return Object.entries(members).flatMap(([key, member]) => restartPaths(member, [...path, key]));
}
