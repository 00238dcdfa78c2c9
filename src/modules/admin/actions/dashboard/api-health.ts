import type { HostedApi } from '../../../hosting';
import type { Traffic } from './traffic';

/** `failing`: at least 1% of the requests are 5xx; `degraded`: fewer, or a dependency is not available. */
export type Health = 'failing' | 'degraded' | 'healthy' | 'idle';

/** The health of a version of an API. */
export interface ApiHealth {
  readonly api: string;
  readonly version: number;
  readonly health: Health;
  /** Undefined without requests. */
  readonly traffic: Traffic | undefined;
  /** The dependencies of its services that are not available. */
  readonly degraded: readonly string[];
}

/** The share of 5xx above which an API is failing. */
const FAILING = 0.01;

/** The key of a version in traffic by API. */
export function apiKey(api: string, version: number | string): string {
  return `${api} v${version}`;
}

/**
 * @param traffic by {@link apiKey}
 * @param degradedOf names the dependencies of a version that are not available
 */
export function apiHealth(
  apis: readonly HostedApi[],
  traffic: ReadonlyMap<string, Traffic>,
  degradedOf: (key: string) => readonly string[],
): readonly ApiHealth[] {
  return apis.flatMap(({ name: api, versions }) =>
    versions.map(({ version }) => {
      const key = apiKey(api, version);
      const own = traffic.get(key);
      const degraded = degradedOf(key);
      return { api, version, health: healthOf(own, degraded.length > 0), traffic: own, degraded };
    }),
  );
}

function healthOf(traffic: Traffic | undefined, isDegraded: boolean): Health {
  const { requests = 0, serverErrors = 0 } = traffic ?? {};
  if (requests > 0 && serverErrors / requests >= FAILING) return 'failing';
  if (serverErrors > 0 || isDegraded) return 'degraded';
  return requests > 0 ? 'healthy' : 'idle';
}
