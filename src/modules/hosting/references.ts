import { StartError, type Services } from '../../framework';
import type { BodyValidator } from './body-validator';
import type { ResourceReference } from './definition';
import type { ProcedureDefinition, RpcHandler, ValidatorReference } from './operation-definition';
import { NOT_IMPLEMENTED, notImplemented } from './not-implemented';
import type { AnyResource } from './resource';

/** Finds what definitions refer to: resources and procedures, given as they are, by class, or by name. */
export class References {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** @throws StartError when it cannot be found or made */
  async resource(reference: ResourceReference, where: string): Promise<AnyResource> {
    if (typeof reference === 'string') {
      return this.#services.named(reference, isResource, 'a resource', `${where}: resource`);
    }
    if (typeof reference === 'object') return reference;
    if (this.#services.has(reference)) return this.#services.get(reference);
    if (reference.length > 0) {
      throw new StartError(
        `${where}: the resource class ${reference.name} takes arguments: bind it in the module's services.`,
      );
    }
    try {
      return new reference();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`${where}: the resource class ${reference.name} cannot be made: ${reason}`, {
        cause: error,
      });
    }
  }

  /** @throws StartError when one cannot be found */
  async validators(
    references: readonly ValidatorReference[],
    where: string,
  ): Promise<readonly BodyValidator[]> {
    return Promise.all(
      references.map(async (reference) =>
        typeof reference === 'function'
          ? reference
          : this.#services.named(reference, isValidator, 'a function', `${where}: validators`),
      ),
    );
  }

  /** @throws StartError when it cannot be found */
  async procedure(reference: ProcedureDefinition['handler'] | undefined, where: string): Promise<RpcHandler> {
    if (typeof reference === 'function') return reference;
    if (reference === undefined) throw new StartError(`${where} declares a method without a handler.`);
    if (reference === NOT_IMPLEMENTED) return notImplemented;
    return this.#services.named(reference, isHandler, 'a function', `${where}: handler`);
  }
}

function isResource(service: unknown): service is AnyResource {
  return typeof service === 'object' && service !== null;
}

function isValidator(service: unknown): service is BodyValidator {
  return typeof service === 'function';
}

function isHandler(service: unknown): service is RpcHandler {
  return typeof service === 'function';
}
