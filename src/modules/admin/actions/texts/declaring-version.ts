import { memberAt } from '../../../../framework';

/**
 * Returns the path of an object in the version that declares it. Writing to an inheriting version would replace the
 * whole object, as versions inherit schemas and parameters key by key.
 *
 * @param definition of the API, with inheritance resolved
 * @param path of an object in a version: `['versions', '2', 'services', 'Country', 'fields']`
 */
export function declaredAt(definition: unknown, path: readonly string[]): readonly string[] {
  const [versions = '', version = '', ...below] = path;
  const inherits = memberAt(definition, [versions, version, 'inherits']);
  if (typeof inherits !== 'number') return path;
  const former = [versions, String(inherits), ...below];
  const part = memberAt(definition, path);
  // Inherited objects are identical.
  const isInherited = typeof part === 'object' && part !== null && memberAt(definition, former) === part;
  return isInherited ? declaredAt(definition, former) : path;
}
