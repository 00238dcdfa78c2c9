import {
  Listeners,
  MethodTable,
  objectOf,
  priorities,
  problem,
  type ApplicationEvents,
  type Endpoint,
  type EventManager,
  type MvcEvent,
  type RouteTarget,
} from '../../../framework';
import type { HostedApi, HostedEndpoint, HostedService } from '../hosted-endpoint';
import type { Lifecycle } from './lifecycle';
import type { ParameterCheck } from '../compile/parameter-check';
import { isHosted } from '../operation-name';
import { versionFields, versionOf } from './version-of';

/** The operations of one version of a route. */
export interface VersionedService {
  readonly version: number;
  readonly guard: HostedService['guard'];
  readonly routeIdentifierName: string | null;
  readonly checkParameters: ParameterCheck['check'] | undefined;
  readonly collection: MethodTable;
  readonly entity: MethodTable;
  /** The QUERY of the collection. */
  readonly query: HostedEndpoint | undefined;
  /** Undefined for a version that is not deprecated. */
  readonly lifecycle: Lifecycle | undefined;
}

declare module '../../../framework' {
  interface MvcEvent {
    /** The lifecycle of the requested version. */
    lifecycle?: Lifecycle | undefined;
  }
}

/**
 * The target of a service route. The router has each pattern once, and this target its versions, to distinguish an
 * unknown version and a method that is not allowed from an unknown path.
 */
export class ServiceRoute implements RouteTarget {
  readonly api: string;
  /** Depends on the version. */
  readonly methods = undefined;
  readonly #default: number;
  readonly #versions: ReadonlyMap<number, VersionedService>;
  /** The default version. */
  readonly #defaultVersion: VersionedService | undefined;

  /** @param services services with this route, one per version */
  constructor({ name, defaultVersion, versions }: HostedApi, services: readonly HostedService[]) {
    this.api = name;
    this.#default = defaultVersion;
    const lifecycles = new Map(versions.map(({ version, lifecycle }) => [version, lifecycle]));
    this.#versions = new Map(
      services.map((service) => [service.version, versioned(service, lifecycles.get(service.version))]),
    );
    this.#defaultVersion = this.#versions.get(defaultVersion);
  }

  /** Whether a version has this route. @param method of the request, for routes that only some methods have */
  has(version: number, method: string): boolean;
  has(version: number): boolean {
    return this.find(version) !== undefined;
  }

  protected find(version: number): VersionedService | undefined {
    return this.#versions.get(version);
  }

  /** Whether the operation of a request has all parameters of its query in another version, too. */
  hasQueryOf({ endpoint, request }: MvcEvent, version: number): boolean {
    if (!isHosted(endpoint)) return false;
    const other = this.find(version)?.[endpoint.part === 'entity' ? 'entity' : 'collection'].find(
      endpoint.method,
    );
    if (!isHosted(other)) return false;
    const declared = objectOf(other.querySchema.properties);
    return [...request.query.keys()].every((name) => Object.hasOwn(declared, name));
  }

  /** Selects the version and the part of the service. */
  select(event: MvcEvent): void {
    this.selectPart(event, this.selectVersion(event));
  }

  /** Selects the collection or the entity. */
  protected selectPart(event: MvcEvent, found: VersionedService): void {
    const { parameters } = event;
    const { collection, entity, routeIdentifierName } = found;
    const isEntity = routeIdentifierName !== null && parameters[routeIdentifierName] !== undefined;
    event.methods = isEntity ? entity : collection;
    found.checkParameters?.(event);
  }

  /** Selects the version, and who authenticates the request. @throws Problem 404 for an unknown version */
  protected selectVersion(event: MvcEvent): VersionedService {
    const { request, parameters } = event;
    const sources = {
      url: parameters.version,
      accept: request.header('accept'),
      contentType: request.header('content-type'),
    };
    const version = versionOf(this.api, sources) ?? this.#default;
    const found = version === this.#defaultVersion?.version ? this.#defaultVersion : this.find(version);
    if (found === undefined) {
      const versions = [...this.#versions.keys()].sort((a, b) => a - b);
      throw problem('version_not_found', { api: this.api, version, versions }, { extensions: { versions } });
    }
    event.lifecycle = found.lifecycle;
    event.guard = found.guard;
    return found;
  }
}

/** The QUERY of the collection of a service, which is also served as a POST. */
export function queryOf({ kind, operations }: HostedService): HostedEndpoint | undefined {
  return kind === 'rest' ? operations.find(({ method }) => method === 'QUERY') : undefined;
}

function versioned(service: HostedService, lifecycle: Lifecycle | undefined): VersionedService {
  return {
    version: service.version,
    guard: service.guard,
    routeIdentifierName: service.routeIdentifierName,
    checkParameters: service.parameterCheck?.check,
    lifecycle,
    collection: methodsOf(Object.fromEntries(service.operations.map((one) => [one.method, one]))),
    entity: methodsOf(Object.fromEntries(service.entityOperations.map((one) => [one.method, one]))),
    query: queryOf(service),
  };
}

/** Returns a table of operations whose responses to OPTIONS have the media types of patches (RFC 5789, 3.1). */
export function methodsOf(endpoints: Readonly<Record<string, Endpoint>>): MethodTable {
  const types = endpoints.PATCH?.negotiation?.contentTypes ?? [];
  return new MethodTable(endpoints, types.length === 0 ? [] : [['Accept-Patch', types.join(', ')]]);
}

/** Adds the headers that selected the version to `Vary`, also on errors. */
function vary({ request, response, match }: MvcEvent): void {
  const target = match?.route.target;
  if (!(target instanceof ServiceRoute)) return;
  const fields = versionFields(target.api, {
    accept: request.header('accept'),
    contentType: request.header('content-type'),
  });
  for (const field of fields) response.fields.addToList('Vary', field);
}

/** Adds the headers that named the API version to `Vary` at `response`. */
export class VersionListener extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', vary, priorities.response.fields)];
  }
}
