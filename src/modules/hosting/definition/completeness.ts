import { ConfigurationError } from '../../../framework';
import type { ServiceDefinition } from './definition';
import { assertKnownKeys } from './known-keys';
import { operationKeys, serviceKeys } from '../service-settings';

const REQUIRED = {
  rest: ['route', 'route_identifier_name', 'fields', 'resource'],
  rpc: ['route', 'methods'],
} as const;

const METHOD = /^[A-Z]+$/;

/**
 * Rejects definitions that TypeScript would not compile: missing or unknown keys, operations that are not objects,
 * methods in lower case. Configuration and JavaScript are not type-checked.
 * @param where service name, for the message
 * @throws ConfigurationError that names the key or method
 */
export function assertComplete(definition: ServiceDefinition, kind: 'rest' | 'rpc', where: string): void {
  const missing = REQUIRED[kind].find((key) => Reflect.get(definition, key) === undefined);
  if (missing !== undefined) throw new ConfigurationError(`${where} has no ${missing}.`);
  assertKnownKeys(definition, serviceKeys, where);
  for (const part of ['collection', 'entity', 'methods'] as const) {
    const operations: unknown = Reflect.get(definition, part);
    for (const [method, operation] of Object.entries({ ...(operations as object | undefined) })) {
      const operationName = `${where}: ${part === 'methods' ? '' : `${part} `}${method}`;
      if (typeof operation !== 'object' || operation === null)
        throw new ConfigurationError(
          `${operationName} is not an operation definition. Write an object, such as {}.`,
        );
      assertKnownKeys(operation, operationKeys, operationName);
    }
  }
  // Methods are case-sensitive (RFC 9110, 9.1): "get" is not GET.
  const invalid = Object.keys('methods' in definition ? definition.methods : {}).find(
    (one) => !METHOD.test(one),
  );
  if (invalid === undefined) return;
  throw new ConfigurationError(`${where} declares the method "${invalid}". Write methods in upper case.`);
}
