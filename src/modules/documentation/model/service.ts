import { immutable, isMoreDerived } from '../../../framework';
import type { Api } from './api';
import type { JsonSchema, OperationData, ParameterData, ServiceData, StatusCodeData } from './data';
import { DeferredService } from './deferred-service';
import { Field } from './field';
import { Operation } from './operation';
import { parametersOfPath, pathsOfRoute } from './route';
import { serviceJson, type ServiceJson } from './service-json';

/** A REST or RPC service of one version of an API (specification 2.3). */
export class Service {
  readonly #name: string;
  readonly #deferred: DeferredService;
  readonly #api: Api | null;
  #isJsonWritten = false;
  // Created on first use.
  #fields: readonly Field[] | undefined;
  #operations: readonly Operation[] | undefined;
  #entityOperations: readonly Operation[] | undefined;

  /** @param api the API of the service; an {@link Api} passes itself to the services that it creates */
  constructor(data: ServiceData | DeferredService, api: Api | null = null) {
    this.#name = data.name;
    this.#api = api;
    if (data instanceof DeferredService) this.#deferred = data;
    else {
      const copy = immutable(data);
      this.#deferred = new DeferredService(data.name, () => copy);
    }
    Object.freeze(this);
  }

  get #data(): ServiceData {
    return this.#deferred.load();
  }

  /**
   * Builds the documentation, unless it was used before. Otherwise the first method that needs it does.
   * @internal
   */
  load(): void {
    this.getOperations();
    this.getEntityOperations();
  }

  /** The API of the service; null if it was created without one. */
  getApi(): Api | null {
    return this.#api;
  }

  getName(): string {
    return this.#name;
  }

  getKind(): 'rest' | 'rpc' {
    return this.#data.kind;
  }

  getDescription(): string {
    return this.#data.description;
  }

  /** Tags of its operations in OpenAPI; empty if none are declared. */
  getTags(): readonly string[] {
    return this.#data.tags ?? [];
  }

  /** The route without the version's prefix, e.g. `/atlas/countries[/:country_code]`. */
  getRoute(): string {
    return this.#data.route;
  }

  /** Null for an RPC service; the last one if several parameters identify an entity. */
  getRouteIdentifierName(): string | null {
    return this.#data.routeIdentifierName;
  }

  /** All parameters that identify an entity; empty for an RPC service. */
  getRouteIdentifierNames(): readonly string[] {
    const { routeIdentifierName: name, routeIdentifierNames: names } = this.#data;
    return names ?? (name === null ? [] : [name]);
  }

  getRouteParameters(): readonly ParameterData[] {
    return this.#data.routeParameters;
  }

  /**
   * Returns the paths of an operation, shortest first: without the identifier for a collection, with it for an
   * entity.
   * Parameters are written `:name`; base URL and version are not included.
   */
  getPaths(operation: Operation): readonly string[] {
    const paths = pathsOfRoute(this.#data.route);
    const identifier = this.#data.routeIdentifierName;
    if (identifier === null) return paths;
    const matching = paths.filter(
      (path) => parametersOfPath(path).includes(identifier) === operation.isEntity(),
    );
    const subpath = operation.getSubpath();
    return (matching.length > 0 ? matching : paths).map((path) => path + subpath);
  }

  getFields(): readonly Field[] {
    return (this.#fields ??= Object.freeze(this.#data.fields.map((field) => new Field(field))));
  }

  /** The schema of its fields; null for an RPC service. */
  getSchema(): JsonSchema | null {
    return this.#data.schema ?? null;
  }

  /** The operations of the collection, or of the RPC service. */
  getOperations(): readonly Operation[] {
    return (this.#operations ??= operationsOf(this.#data.operations));
  }

  /** Empty for an RPC service. */
  getEntityOperations(): readonly Operation[] {
    return (this.#entityOperations ??= operationsOf(this.#data.entityOperations));
  }

  getRequestAcceptTypes(): readonly string[] {
    return this.#data.requestAcceptTypes;
  }

  getRequestContentTypes(): readonly string[] {
    return this.#data.requestContentTypes;
  }

  getResponseContentTypes(): readonly string[] {
    return this.#data.responseContentTypes;
  }

  getResponseStatusCodes(): readonly StatusCodeData[] {
    return this.#data.responseStatusCodes;
  }

  toJSON(): ServiceJson {
    return serviceJson(this.#data);
  }

  /**
   * Returns an object with the same JSON, which is built when it is written. The first time, the documentation is not kept:
   * most of what ten thousand services would keep is never read again, because the JSON is cached, for each audience.
   * @internal
   */
  toLazyJson(): { toJSON(): ServiceJson } {
    if (!isMoreDerived(this, 'toLazyJson', 'toJSON')) return this;
    return {
      toJSON: () => {
        const data = this.#isJsonWritten ? this.#data : this.#deferred.loadOnce();
        this.#isJsonWritten = true;
        return serviceJson(data);
      },
    };
  }
}

function operationsOf(all: readonly OperationData[]): readonly Operation[] {
  return Object.freeze(all.map((operation) => new Operation(operation)));
}
