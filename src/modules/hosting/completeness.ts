import { StartError } from '../../framework';
import type { ServiceDefinition } from './definition';
import { assertKnownKeys } from './known-keys';
import { operationKeys, serviceKeys } from './service-settings';

const needed = {
  rest: ['route', 'route_identifier_name', 'fields', 'resource'],
  rpc: ['route', 'methods'],
} as const;

const METHOD = /^[A-Z]+$/;

/**
 * Refuses a declaration that lacks what its kind of service needs, or that no request would ever reach: the types
 * do not say so to configuration.
 * @param where names the service, for the message
 * @throws StartError that names the key or the method
 */
export function assertComplete(definition: ServiceDefinition, kind: 'rest' | 'rpc', where: string): void {
  const missing = needed[kind].find((key) => Reflect.get(definition, key) === undefined);
  if (missing !== undefined) throw new StartError(`${where} has no ${missing}.`);
  assertKnownKeys(definition, serviceKeys, where);
  for (const part of ['collection', 'entity', 'methods'] as const) {
    const operations: unknown = Reflect.get(definition, part);
    for (const [method, operation] of Object.entries({ ...(operations as object | undefined) })) {
      const named = `${where}: ${part === 'methods' ? '' : `${part} `}${method}`;
      if (typeof operation !== 'object' || operation === null)
        throw new StartError(`${named} is no declaration of an operation. Write an object, such as {}.`);
      assertKnownKeys(operation, operationKeys, named);
    }
  }
  // Methods are case-sensitive (RFC 9110, 9.1): "get" would be another one than GET.
  const odd = Object.keys('methods' in definition ? definition.methods : {}).find((one) => !METHOD.test(one));
  if (odd === undefined) return;
  throw new StartError(`${where} declares the method "${odd}"; methods are written in capital letters.`);
}
