import { formatKeyPath, type Configuration, type KeyPath } from '../../../framework';
import { HOSTING_KEY } from '../hosting-key';

/** Returns the place of a declaration, for messages about some of its keys, such as `license.url`. */
export type DeclarationPlace = (...keys: readonly string[]) => string;

/**
 * Finds the place of an API or one of its versions: in a file, if the configuration has one of the keys, otherwise the
 * declaration.
 * @param path below `platform-hosting.apis`
 * @param name of the API or version, as messages have it
 */
export function declarationPlace(
  configuration: Configuration,
  path: KeyPath,
  name: string,
): DeclarationPlace {
  const at = [HOSTING_KEY, 'apis', ...path];
  return (...keys) => {
    const found = keys
      .map((key) => [...at, ...key.split('.')])
      .find((one) => configuration.valueAt(one) !== undefined);
    return found === undefined ? name : `${configuration.sourceOf(found)}: ${formatKeyPath(at)}`;
  };
}
