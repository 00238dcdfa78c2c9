import { ConfigurationError, errorMessage, expand, parametersOf, parsePattern } from '../../../../framework';
import { identifierMembers, routeIdentifiers } from '../../rest/identifier';
import type { RestServiceDefinition } from '../definition';

type Identifiers = Pick<RestServiceDefinition, 'route' | 'route_identifier_name' | 'entity_identifier_name'>;

/** @throws ConfigurationError for an invalid route, and one with a reserved parameter */
export function assertRoute(route: string, where: string): void {
  let parameters: readonly string[];
  try {
    parameters = parametersOf(parsePattern(route).parts);
  } catch (error) {
    throw new ConfigurationError(`${where}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  if (!parameters.includes('version')) return;
  throw new ConfigurationError(
    `${where}: the route ${route} has a parameter "version", which is reserved for the version of the API.`,
  );
}

/**
 * Rejects identifiers that do not fit the route. Several identifiers must appear together: a path with only some of
 * them would be that of a collection, which ignores them.
 * @param where service name, for the message
 * @returns the last of them in the route: a path that has it is that of an entity
 * @throws ConfigurationError
 */
export function assertIdentifiers(definition: Identifiers, where: string): string {
  assertNames(definition, 'route_identifier_name', where);
  assertNames(definition, 'entity_identifier_name', where);
  const { route } = definition;
  const names = routeIdentifiers(definition);
  const pattern = parsePattern(route);
  const parameters = parametersOf(pattern.parts);
  const unknown = names.find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    throw new ConfigurationError(
      `${where}: the route ${route} has no parameter "${unknown}" (route_identifier_name).`,
    );
  }
  const members = identifierMembers(definition);
  if (members.length !== names.length) {
    throw new ConfigurationError(
      `${where}: route_identifier_name has ${names.length} of ${names.join(', ')}, and entity_identifier_name has ${members.length}. Name one member per parameter, in the same order.`,
    );
  }
  const deciding = parameters.filter((name) => names.includes(name)).at(-1) ?? '';
  assertTogether(route, names, deciding, where);
  return deciding;
}

/**
 * Rejects operations of a collection that has no path.
 * @param identifier what decides that a path is that of an entity
 * @throws ConfigurationError
 */
export function assertCollectionPath(route: string, identifier: string, where: string): void {
  if (expand(parsePattern(route)).some((parts) => !parametersOf(parts).includes(identifier))) return;
  throw new ConfigurationError(
    `${where}: each path of the route ${route} is that of an entity, because it has "${identifier}" (route_identifier_name), and no request reaches the operations of the collection. Write it in brackets, such as /items[/:${identifier}], or remove "collection".`,
  );
}

function assertTogether(route: string, names: readonly string[], deciding: string, where: string): void {
  if (names.length === 1) return;
  const paths = expand(parsePattern(route)).map((parts) => parametersOf(parts));
  const counts = paths.map((path) => names.filter((name) => path.includes(name)).length);
  const parents = paths.flatMap((path, at) => (path.includes(deciding) ? [] : [counts[at] ?? 0]));
  const isComplete = paths.every((path, at) => !path.includes(deciding) || counts[at] === names.length);
  // Identifiers outside of brackets belong to the path of the collection.
  if (isComplete && new Set(parents).size <= 1) return;
  throw new ConfigurationError(
    `${where}: the route ${route} has paths with only some of its identifiers: ${names.join(', ')}. Put those that a collection does not have into the same brackets, such as [/:${names.join('/:')}].`,
  );
}

/** The schema of services has checked the type. @throws ConfigurationError for an empty list, and a name that is repeated */
function assertNames(
  definition: Identifiers,
  key: 'route_identifier_name' | 'entity_identifier_name',
  where: string,
): void {
  const names = definition[key];
  if (names === undefined || typeof names === 'string') return;
  if (names.length === 0)
    throw new ConfigurationError(`${where}: ${key} is an empty list. Name at least one.`);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new ConfigurationError(`${where}: ${key} names "${repeated}" twice.`);
}
