import type { ApplicationHost, Measurement, Server } from '../framework';
import type { ObservedService } from '../modules/operations';
import { packageVersion } from '../node-version';
import type { Workers } from '../workers/workers';

/** What the operations port reports. */
export function observedService(
  host: ApplicationHost,
  server: Server,
  measurements: readonly Measurement[],
  workers: Workers | undefined,
): ObservedService {
  const startedAt = new Date().toISOString();
  const { platform, arch, pid } = process;
  const build = {
    name: 'apidesc-platform',
    version: packageVersion(),
    node: process.versions.node,
    platform,
    arch,
    pid,
    started_at: startedAt,
  };
  return {
    host,
    isDraining: () => workers?.isStopping === true || server.isDraining,
    build,
    measurements,
    ...(workers === undefined ? {} : { workers }),
  };
}
