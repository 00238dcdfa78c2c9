import { StartError, type Services } from '../../framework';
import type { ProcedureDefinition, ResourceReference, RpcHandler } from './definition';
import type { RestResource } from './resource';

/** Finds what definitions refer to: resources and procedures, given as they are, by class, or by name. */
export class References {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** @throws StartError when it cannot be found or made */
  async resource(reference: ResourceReference, where: string): Promise<RestResource> {
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
    return new reference();
  }

  /** @throws StartError when it cannot be found */
  async procedure(reference: ProcedureDefinition['handler'] | undefined, where: string): Promise<RpcHandler> {
    if (typeof reference === 'function') return reference;
    if (reference === undefined) throw new StartError(`${where} declares a method without a handler.`);
    return this.#services.named(reference, isHandler, 'a function', `${where}: handler`);
  }
}

function isResource(service: unknown): service is RestResource {
  return typeof service === 'object' && service !== null;
}

function isHandler(service: unknown): service is RpcHandler {
  return typeof service === 'function';
}
