import { immutable } from '../../../framework';
import type { Api } from './api';
import type { JsonSchema, OperationData, ParameterData, ServiceData, StatusCodeData } from './data';
import { Field, fieldJson, type FieldJson } from './field';
import { Operation } from './operation';
import { operationJson, type OperationJson } from './operation-json';
import { OPTIONS_JSON, type OptionsJson } from './options';
import { parametersOfPath, pathsOfRoute } from './route';

/** The JSON of a service. */
export interface ServiceJson {
  readonly name: string;
  readonly description: string;
  /** Absent if none are declared. */
  readonly tags?: readonly string[];
  readonly route: string;
  readonly route_identifier_name: string | null;
  /** Present if several parameters identify an entity. */
  readonly route_identifier_names?: readonly string[];
  readonly route_parameters: readonly ParameterData[];
  readonly request_accept_types: readonly string[];
  readonly request_content_types: readonly string[];
  readonly response_content_types: readonly string[];
  readonly fields: readonly FieldJson[];
  readonly operations: readonly OperationJson[];
  readonly entity_operations: readonly OperationJson[];
  readonly response_status_codes: readonly StatusCodeData[];
  /** How its paths answer `OPTIONS`. */
  readonly options: OptionsJson;
}

/** A service whose documentation is built on first use: an API may have ten thousand services. */
export interface DeferredService {
  readonly name: string;
  readonly build: () => ServiceData;
}

/** A REST or RPC service of one version of an API (specification 2.3). */
export class Service {
  readonly #name: string;
  readonly #build: () => ServiceData;
  readonly #api: Api | null;
  // Created on first use.
  #built: ServiceData | undefined;
  #fields: readonly Field[] | undefined;
  #operations: readonly Operation[] | undefined;
  #entityOperations: readonly Operation[] | undefined;

  /** @param api the API of the service; an {@link Api} passes itself to the services that it creates */
  constructor(data: ServiceData | DeferredService, api: Api | null = null) {
    this.#name = data.name;
    this.#api = api;
    if ('build' in data) this.#build = data.build;
    else {
      const built = immutable(data);
      this.#build = () => built;
    }
    Object.freeze(this);
  }

  get #data(): ServiceData {
    return (this.#built ??= immutable(this.#build()));
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
    const data = this.#data;
    return {
      name: data.name,
      description: data.description,
      ...(data.tags === undefined ? {} : { tags: data.tags }),
      route: data.route,
      route_identifier_name: data.routeIdentifierName,
      ...(data.routeIdentifierNames === undefined
        ? {}
        : { route_identifier_names: data.routeIdentifierNames }),
      route_parameters: data.routeParameters,
      request_accept_types: data.requestAcceptTypes,
      request_content_types: data.requestContentTypes,
      response_content_types: data.responseContentTypes,
      // No objects of the model: most of their time would be garbage collection.
      fields: data.fields.map(fieldJson),
      operations: data.operations.map(operationJson),
      entity_operations: data.entityOperations.map(operationJson),
      response_status_codes: data.responseStatusCodes,
      options: OPTIONS_JSON,
    };
  }
}

function operationsOf(all: readonly OperationData[]): readonly Operation[] {
  return Object.freeze(all.map((operation) => new Operation(operation)));
}
