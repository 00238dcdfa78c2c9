import {
  andThen,
  ConfigurationError,
  describeValue,
  isClass,
  type LifecyclePart,
  type MaybePromise,
  type Services,
} from '../../../framework';
import type { BodyValidator } from './operation/body-validator';
import { createResource } from './create-resource';
import type { ResourceReference } from '../definition/definition';
import type { ProcedureDefinition, RpcHandler, ValidatorReference } from '../definition/operation-definition';
import { NOT_IMPLEMENTED, notImplemented } from '../rpc/rpc-handler';
import type { AnyResource } from '../definition/resource';
import { operationHookNames, type HooksReference, type OperationHooks } from '../hooks/operation-hooks';
import { resolveHooks } from '../hooks/resolve-hooks';

/**
 * Resolves what definitions reference: resources, validators and procedures, given as values, by class or by
 * container name.
 */
export class DefinitionResolver {
  readonly #services: Services;
  readonly #lifecycles: LifecyclePart[];

  /** @param lifecycles receives the resources that want to be started and stopped */
  constructor(services: Services, lifecycles: LifecyclePart[] = []) {
    this.#services = services;
    this.#lifecycles = lifecycles;
  }

  /** Synchronous for an object. @throws ConfigurationError if it cannot be found or created */
  resource(reference: ResourceReference, where: string): MaybePromise<AnyResource> {
    return andThen(this.#resourceOf(reference, where), (resource) => {
      if (typeof resource.onStart === 'function' || typeof resource.onStop === 'function')
        this.#lifecycles.push({ name: where, target: resource });
      return resource;
    });
  }

  #resourceOf(reference: ResourceReference, where: string): MaybePromise<AnyResource> {
    if (reference === NOT_IMPLEMENTED) return notImplementedResource;
    if (typeof reference === 'string') {
      return this.#services.getNamed(reference, isResource, 'a resource', `${where}: resource`);
    }
    if (typeof reference === 'object') return reference;
    // An arrow function, an asynchronous one or a generator, which in JavaScript may return the resource.
    if (!isConstructor(reference))
      throw new ConfigurationError(
        `${where}: resource is ${describeValue(reference)}. Write a resource, which is an object with methods such as fetch(), or its class.`,
      );
    return createResource(reference, this.#services, where);
  }

  /** Synchronous without validators, which most operations have not. @throws ConfigurationError if one cannot be found */
  validators(
    references: readonly ValidatorReference[],
    where: string,
  ): MaybePromise<readonly BodyValidator[]> {
    if (references.length === 0) return NONE;
    return Promise.all(
      references.map(async (reference) => {
        if (isValidator(reference)) return reference;
        if (typeof reference === 'string')
          return this.#services.getNamed(reference, isValidator, 'a function', `${where}: validators`);
        throw notAFunction('a validator', reference, where);
      }),
    );
  }

  /** Synchronous without hooks. @throws ConfigurationError if some cannot be found, or are none */
  hooks(
    references: readonly (HooksReference | undefined)[],
    where: string,
  ): MaybePromise<readonly OperationHooks[]> {
    const given = references.filter((reference) => reference !== undefined);
    if (given.length === 0) return NONE;
    return Promise.all(
      given.map((reference) => resolveHooks(reference, operationHookNames, this.#services, where)),
    );
  }

  /** Synchronous for a function. @param method for the message. @throws ConfigurationError if it cannot be found */
  procedure(
    reference: ProcedureDefinition['handler'] | undefined,
    method: string,
    where: string,
  ): MaybePromise<RpcHandler> {
    if (typeof reference === 'function') {
      if (!isClass(reference)) return reference;
      throw notAFunction('handler', reference, where);
    }
    if (reference === undefined)
      throw new ConfigurationError(
        `${where} declares ${method} without a handler. Write a function, the name of one in the container, or "${NOT_IMPLEMENTED}".`,
      );
    if (reference === NOT_IMPLEMENTED) return notImplemented;
    return this.#services.getNamed(reference, isHandler, 'a function', `${where}: handler`);
  }
}

const NONE: readonly never[] = Object.freeze([]);

/** The resource of a service that is documented before it is implemented. */
const notImplementedResource: AnyResource = Object.freeze({
  fetch: notImplemented,
  fetchAll: notImplemented,
  queryAll: notImplemented,
  create: notImplemented,
  update: notImplemented,
  patch: notImplemented,
  delete: notImplemented,
  replaceList: notImplemented,
  patchList: notImplemented,
  deleteList: notImplemented,
});

function notAFunction(what: string, found: unknown, where: string): ConfigurationError {
  return new ConfigurationError(
    `${where}: ${what} is ${describeValue(found)}. Write a function, such as a method of an instance.`,
  );
}

/** Whether a function can be called with `new`, which is found out without calling it. */
function isConstructor(value: object): boolean {
  try {
    Reflect.construct(Object, [], value as () => unknown);
    return true;
  } catch {
    return false;
  }
}

function isResource(service: unknown): service is AnyResource {
  return typeof service === 'object' && service !== null;
}

function isValidator(service: unknown): service is BodyValidator {
  return typeof service === 'function' && !isClass(service);
}

function isHandler(service: unknown): service is RpcHandler {
  return typeof service === 'function' && !isClass(service);
}
