import {
  Listeners,
  MethodTable,
  priorities,
  problem,
  repeatable,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type RouteTarget,
} from '../../framework';
import type { HostedApi, HostedService } from './hosted-endpoint';
import type { Lifecycle } from './lifecycle';
import type { ParameterCheck } from './parameter-check';
import { versionOf } from './version-of';

/** The operations of one version behind a route. */
interface VersionedService {
  readonly version: number;
  readonly guard: HostedService['guard'];
  readonly routeIdentifierName: string | null;
  readonly checkParameters: ParameterCheck['check'] | undefined;
  readonly collection: MethodTable;
  readonly entity: MethodTable;
  /** Undefined for a version that is to stay. */
  readonly lifecycle: Lifecycle | undefined;
}

declare module '../../framework' {
  interface MvcEvent {
    /** What is to become of the version that is asked for. */
    lifecycle?: Lifecycle | undefined;
  }
}

/**
 * What the route of a service leads to. A pattern stands once in the router, and holds its versions here, so
 * that an unknown version and a method that is not allowed are told from an unknown path.
 */
export class ServiceRoute implements RouteTarget {
  readonly api: string;
  /** Known only with the version. */
  readonly methods = undefined;
  readonly #default: number;
  readonly #versions: ReadonlyMap<number, VersionedService>;
  /** That of most requests. */
  readonly #usual: VersionedService | undefined;

  /** @param services of the API, one for each version that has this route */
  constructor({ name, defaultVersion, versions }: HostedApi, services: readonly HostedService[]) {
    this.api = name;
    this.#default = defaultVersion;
    const lifecycles = new Map(versions.map(({ version, lifecycle }) => [version, lifecycle]));
    this.#versions = new Map(
      services.map((service) => [service.version, versioned(service, lifecycles.get(service.version))]),
    );
    this.#usual = this.#versions.get(defaultVersion);
  }

  /** Whether a version has this route. */
  has(version: number): boolean {
    return this.#versions.has(version);
  }

  /** Finds version and part of the service that a request is for. */
  select(event: MvcEvent): void {
    const { request, parameters } = event;
    const sources = {
      url: parameters.version,
      accept: request.header('accept'),
      contentType: request.header('content-type'),
    };
    const version = versionOf(this.api, sources) ?? this.#default;
    const found = version === this.#usual?.version ? this.#usual : this.#versions.get(version);
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

/** At `route`, finds the version of the API that is asked for. */
export class VersionListener extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        repeatable((event) => {
          const target = event.match?.route.target;
          if (target instanceof ServiceRoute) target.select(event);
        }),
        priorities.route.scope,
      ),
    ];
  }
}
