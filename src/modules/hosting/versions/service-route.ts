import {
  Listeners,
  MethodTable,
  priorities,
  problem,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type RouteTarget,
} from '../../../framework';
import type { HostedApi, HostedService } from '../hosted-endpoint';
import type { Lifecycle } from './lifecycle';
import type { ParameterCheck } from '../compile/parameter-check';
import { versionFields, versionOf } from './version-of';

/** The operations of one version of a route. */
interface VersionedService {
  readonly version: number;
  readonly guard: HostedService['guard'];
  readonly routeIdentifierName: string | null;
  readonly checkParameters: ParameterCheck['check'] | undefined;
  readonly collection: MethodTable;
  readonly entity: MethodTable;
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

  /** Whether a version has this route. */
  has(version: number): boolean {
    return this.#versions.has(version);
  }

  /** Selects the version and the part of the service. */
  select(event: MvcEvent): void {
    const { request, parameters } = event;
    const sources = {
      url: parameters.version,
      accept: request.header('accept'),
      contentType: request.header('content-type'),
    };
    const version = versionOf(this.api, sources) ?? this.#default;
    const found =
      version === this.#defaultVersion?.version ? this.#defaultVersion : this.#versions.get(version);
    if (found === undefined) {
      const versions = [...this.#versions.keys()].sort((a, b) => a - b);
      throw problem('version_not_found', { api: this.api, version, versions }, { extensions: { versions } });
    }
    const { collection, entity, lifecycle, guard, routeIdentifierName } = found;
    event.lifecycle = lifecycle;
    const isEntity = routeIdentifierName !== null && parameters[routeIdentifierName] !== undefined;
    event.guard = guard;
    event.methods = isEntity ? entity : collection;
    found.checkParameters?.(event);
  }
}

function versioned(service: HostedService, lifecycle: Lifecycle | undefined): VersionedService {
  const tableOf = (operations: HostedService['operations']): MethodTable =>
    new MethodTable(Object.fromEntries(operations.map((endpoint) => [endpoint.method, endpoint])));
  return {
    version: service.version,
    guard: service.guard,
    routeIdentifierName: service.routeIdentifierName,
    checkParameters: service.parameterCheck?.check,
    lifecycle,
    collection: tableOf(service.operations),
    entity: tableOf(service.entityOperations),
  };
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
