import { unavailableOf, type Application } from '../../../../framework';
import type { DatabaseInspector } from '../../../database';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import type { OperationsTraffic } from '../../monitoring/operation-history';
import type { RecentError } from '../../monitoring/recent-errors';
import { ServiceHistory } from '../../monitoring/service-history';
import { apiHealth, apiKey, type ApiHealth } from './api-health';
import { pointsOf, type Points, type Range } from './points';
import { connectionsOf, type ConnectedService, type Connections } from './service-connections';
import { topOperations, trafficBy, type TopOperations, type Traffic } from './traffic';

/** A service with the requests of a time. */
export interface MappedService extends ConnectedService {
  /** Undefined without requests. */
  readonly traffic: Traffic | undefined;
}

/** A database that services use. */
interface MappedDatabase {
  /** Of its adapter. */
  readonly name: string;
  /** The kind of its adapter. */
  readonly kind: string;
  /** Where it is, without credentials; undefined if it cannot be opened. */
  readonly target: string | undefined;
  /** Undefined before its first use. */
  readonly isAvailable: boolean | undefined;
}

/** The numbers of the dashboard. */
export interface DashboardView {
  /** Whether requests are counted, which needs the module `operations`. */
  readonly isCounting: boolean;
  /** In minutes. */
  readonly range: Range;
  /** The time that the traffic below is of: the range, or since the start, in seconds. */
  readonly seconds: number;
  readonly points: Points;
  readonly inFlight: number;
  readonly total: Traffic | undefined;
  readonly apis: readonly ApiHealth[];
  /** The names of dependencies that are not available. */
  readonly degraded: readonly string[];
  readonly top: TopOperations;
  /** Newest first. */
  readonly errors: readonly RecentError[];
  readonly services: readonly MappedService[];
  readonly databases: readonly MappedDatabase[];
}

/** Operations of each list. */
const TOP = 5;
/** Recent errors: with 5xx, and with 4xx. */
const SERVER_ERRORS = 10;
const CLIENT_ERRORS = 10;

/** Collects the numbers of the dashboard from the history of the service. */
export class Dashboard {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** @param range in minutes */
  async get(range: Range): Promise<DashboardView> {
    const { running } = this.#changes;
    const history = running.sharedState.find(ServiceHistory);
    const { operations, seconds }: OperationsTraffic = history?.operations(range) ?? {
      operations: [],
      seconds: 0,
    };
    const connections = await connectionsOf(running);
    const degraded = unavailableOf(running.dependencies);
    const byApi = trafficBy(
      operations,
      ({ api, version }) => (api === '' ? undefined : apiKey(api, version)),
      seconds,
    );
    const byService = trafficBy(operations, (one) => serviceKey(one), seconds);
    return {
      isCounting: history?.isCounting === true,
      range,
      seconds,
      points: pointsOf(history?.samples ?? [], range, performance.now()),
      inFlight: running.inFlight,
      total: trafficBy(operations, () => '', seconds).get(''),
      apis: apiHealth(connections.apis, byApi, (key) => degradedOf(key, connections, degraded)),
      degraded,
      top: topOperations(operations, seconds, TOP),
      errors: history?.errors.latest(SERVER_ERRORS, CLIENT_ERRORS) ?? [],
      services: connections.services.map((one) => ({ ...one, traffic: byService.get(serviceKey(one)) })),
      databases: await databasesOf(running, connections),
    };
  }
}

function serviceKey({
  api,
  version,
  service,
}: {
  readonly api: string;
  readonly version: number | string;
  readonly service: string;
}): string {
  return JSON.stringify([api, String(version), service]);
}

/** Databases are dependencies by this name. */
function degradedOf(key: string, { services }: Connections, degraded: readonly string[]): readonly string[] {
  if (degraded.length === 0) return [];
  const own = services.filter(({ api, version }) => apiKey(api, version) === key);
  return degraded.filter((name) => own.some(({ database }) => name === `database ${database ?? ''}`));
}

/** Only databases that services use: describing another one would open it. */
async function databasesOf(
  { services }: Application,
  connections: Connections,
): Promise<readonly MappedDatabase[]> {
  const names = new Set(connections.services.flatMap(({ database }) => database ?? []));
  if (names.size === 0 || !services.has('DatabaseInspector')) return [];
  // Bound by the module `database` under this name.
  const inspector = await services.get<DatabaseInspector>('DatabaseInspector');
  return Promise.all(
    [...names].map(async (name) => {
      const { adapter: kind, target, isAvailable } = await inspector.describe(name);
      return { name, kind, target, isAvailable };
    }),
  );
}
