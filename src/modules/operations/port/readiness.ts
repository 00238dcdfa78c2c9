import type { Dependency } from '../../../framework';

/** The response of `/ready`. */
export interface Readiness {
  readonly status: 200 | 503;
  readonly body: {
    readonly status: 'ready' | 'draining';
    /** Names of dependencies that are not available: requests that need them fail, others do not. */
    readonly degraded: readonly string[];
  };
}

/** Decides whether load balancers should send requests. A dependency that only some requests need does not matter. */
export function readinessOf(isDraining: boolean, dependencies: readonly Dependency[]): Readiness {
  const degraded = dependencies.filter((one) => !one.isAvailable()).map(({ name }) => name);
  return isDraining
    ? { status: 503, body: { status: 'draining', degraded } }
    : { status: 200, body: { status: 'ready', degraded } };
}
