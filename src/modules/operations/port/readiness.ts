import { unavailableOf, type Dependency } from '../../../framework';

/** The response of `/ready`. */
export interface Readiness {
  readonly status: 200 | 503;
  readonly body: {
    /** `ready`, `draining`, `no workers`, or the refusal of a dependency, such as `behind`. */
    readonly status: string;
    /** Names of dependencies that are not available: requests that need them fail, others do not. */
    readonly degraded: readonly string[];
  };
}

/**
 * Decides whether load balancers should send requests. A dependency that only some requests need does not matter, unless
 * it says so.
 * @param workers those that accept connections, if this process does not
 */
export function readinessOf(
  isDraining: boolean,
  dependencies: readonly Dependency[],
  workers?: { readonly readyCount: number; readonly metrics: { readonly degraded: readonly string[] } },
): Readiness {
  const own = unavailableOf(dependencies);
  const degraded = [...new Set([...own, ...(workers?.metrics.degraded ?? [])])];
  if (isDraining) return { status: 503, body: { status: 'draining', degraded } };
  const refusal = dependencies.map(refusalOf).find((status) => status !== undefined);
  if (refusal !== undefined) return { status: 503, body: { status: refusal, degraded } };
  return workers?.readyCount === 0
    ? { status: 503, body: { status: 'no workers', degraded } }
    : { status: 200, body: { status: 'ready', degraded } };
}

/** A dependency that throws does not make the process unready: it is degraded. */
function refusalOf(dependency: Dependency): string | undefined {
  try {
    return dependency.refusal?.();
  } catch {
    return undefined;
  }
}
