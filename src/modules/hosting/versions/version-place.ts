import { formatKeyPath, type Configuration } from '../../../framework';
import { HOSTING_KEY } from '../settings';

/** Returns the place of a version, for messages about some of its keys. */
export type VersionPlace = (...keys: readonly string[]) => string;

/**
 * Finds the place of a version: in a file, if the configuration has one of the keys, otherwise the declaration.
 * @param name of the version, as messages have it
 */
export function versionPlace(
  configuration: Configuration,
  api: string,
  version: number,
  name: string,
): VersionPlace {
  const at = [HOSTING_KEY, 'apis', api, 'versions', String(version)];
  return (...keys) => {
    const key = keys.find((one) => configuration.valueAt([...at, one]) !== undefined);
    return key === undefined ? name : `${configuration.sourceOf([...at, key])}: ${formatKeyPath(at)}`;
  };
}
