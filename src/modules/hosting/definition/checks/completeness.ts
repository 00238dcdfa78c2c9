import { METHODS as HTTP_METHODS } from 'node:http';
import { didYouMean, ConfigurationError, ConfigurationErrors, isSchema } from '../../../../framework';
import type { ServiceDefinition } from '../definition';
import { assertKnownKeys } from './known-keys';
import { operationKeys, serviceKeys } from '../../service-settings';

const REQUIRED = {
  rest: ['route', 'route_identifier_name', 'fields', 'resource'],
  rpc: ['route', 'methods'],
} as const;

/** Methods of collections that can be sorted. */
const LISTS = ['GET', 'QUERY'];

const METHODS_OF = {
  collection: ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'],
  entity: ['GET', 'PUT', 'PATCH', 'DELETE'],
} as const;

/** Keys that have no effect in other services and operations, by what has them. */
const OWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  'REST services': [
    'collection_name',
    'page_size',
    'max_page_size',
    'max_items',
    'cursor',
    'input',
    'resource',
    'route_identifier_name',
    'entity_identifier_name',
    'fields',
    'collection',
    'entity',
  ],
  'GET and QUERY of collections': ['sort', 'default_sort'],
  procedures: ['handler'],
};

/** Keys that only kinds of services set, in the definitions that they build. */
const KEYS_OF_KINDS = ['sent_body_check'];

const METHOD = /^[A-Z-]+$/;

/**
 * Rejects definitions that TypeScript would not compile: missing or unknown keys, operations that are not objects,
 * unknown methods. Configuration and JavaScript are not type-checked.
 * @param where service name, for the message
 * @throws ConfigurationError that names each key and method
 */
export function assertComplete(definition: ServiceDefinition, kind: 'rest' | 'rpc', where: string): void {
  // First, because a misspelt key is missing too.
  assertKnownKeys(definition, [...serviceKeys, ...KEYS_OF_KINDS], where);
  const errors = new ConfigurationErrors();
  errors.collect(() => {
    assertNoneMissing(definition, kind, where);
    if (kind === 'rest') assertEntities(definition, where);
    if (kind === 'rpc') assertSingleKind(definition, where);
    if (kind === 'rpc') assertNotOf(['REST services'], definition, where);
  });
  for (const part of ['collection', 'entity', 'methods'] as const) {
    const operations: unknown = Reflect.get(definition, part);
    if (part !== 'methods' && typeof operations === 'object' && operations !== null)
      errors.collect(() => assertKnownKeys(operations, METHODS_OF[part], `${where}: ${part}`));
    for (const [method, operation] of Object.entries({ ...(operations as object | undefined) })) {
      const operationName = `${where}: ${part === 'methods' ? '' : `${part} `}${method}`;
      errors.collect(() => assertOperation(operation, part, method, operationName));
    }
  }
  for (const method of Object.keys('methods' in definition ? definition.methods : {}))
    errors.collect(() => assertMethod(method, where));
  errors.assertNone();
}

function assertNoneMissing(definition: ServiceDefinition, kind: 'rest' | 'rpc', where: string): void {
  const missing = REQUIRED[kind].filter((key) => Reflect.get(definition, key) === undefined);
  if (missing.length > 0) throw new ConfigurationError(`${where} has no ${missing.join(', no ')}.`);
}

/** Of a list, the collection would be a list of lists. */
function assertEntities(definition: ServiceDefinition, where: string): void {
  for (const key of ['fields', 'input']) {
    const schema: unknown = Reflect.get(definition, key);
    if (!isSchema(schema) || schema.type !== 'array') continue;
    throw new ConfigurationError(
      `${where}: ${key} is the schema of a list. Write that of one entity, such as Type.Object({ … }): a collection is a list of them.`,
    );
  }
}

/** A definition with "methods" is of an RPC service, unless it has that of a REST service too. */
function assertSingleKind({ kind, ...definition }: ServiceDefinition, where: string): void {
  if (kind === 'rpc' || !('resource' in definition)) return;
  throw new ConfigurationError(
    `${where} has "methods", which only RPC services have, and "resource", which only REST services have. Write "kind", which is "rpc" or "rest", and remove the other.`,
  );
}

function assertOperation(
  operation: unknown,
  part: 'collection' | 'entity' | 'methods',
  method: string,
  name: string,
): void {
  if (typeof operation !== 'object' || operation === null)
    throw new ConfigurationError(`${name} is not an operation definition. Write an object, such as {}.`);
  assertKnownKeys(operation, operationKeys, name);
  const others = [
    ...(part === 'collection' && LISTS.includes(method) ? [] : ['GET and QUERY of collections']),
    ...(part === 'methods' ? [] : ['procedures']),
  ];
  assertNotOf(others, operation, name);
}

/** Rejects keys of other services and operations, which would be ignored. */
function assertNotOf(owners: readonly string[], declared: object, name: string): void {
  for (const owner of owners) {
    const key = OWN_KEYS[owner]?.find((one) => (Reflect.get(declared, one) ?? undefined) !== undefined);
    if (key !== undefined)
      throw new ConfigurationError(`${name} has the key "${key}", which only ${owner} have. Remove it.`);
  }
}

/** Methods are case-sensitive (RFC 9110, 9.1): "get" is not GET. */
function assertMethod(method: string, where: string): void {
  if (!METHOD.test(method))
    throw new ConfigurationError(`${where} declares the method "${method}". Write methods in upper case.`);
  if (method === 'CONNECT')
    throw new ConfigurationError(
      `${where} declares the method "CONNECT", which opens tunnels and never reaches an operation. Remove it.`,
    );
  if (HTTP_METHODS.includes(method)) return;
  throw new ConfigurationError(
    `${where} declares the method "${method}", which Node.js does not accept.${didYouMean(method, METHODS_OF.collection)}`,
  );
}
