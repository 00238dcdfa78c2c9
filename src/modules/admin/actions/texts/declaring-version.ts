import { memberAt } from '../../../../framework';

/**
 * Where a part of a version stands that the version may have inherited: in the one that declares it. To write into the
 * heir would replace the whole part, as versions inherit schemas and parameters key by key.
 *
 * @param definition of the API, with what versions inherit
 * @param path of an object in a version: `['versions', '2', 'services', 'Country', 'fields']`
 */
export function declaredAt(definition: unknown, path: readonly string[]): readonly string[] {
  const [versions = '', version = '', ...below] = path;
  const inherits = memberAt(definition, [versions, version, 'inherits']);
  if (typeof inherits !== 'number') return path;
  const former = [versions, String(inherits), ...below];
  const part = memberAt(definition, path);
  // What is inherited is the very same object.
  const isInherited = typeof part === 'object' && part !== null && memberAt(definition, former) === part;
  return isInherited ? declaredAt(definition, former) : path;
}
