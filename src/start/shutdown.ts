import type { Static } from '@sinclair/typebox';
import {
  serverSettings,
  timerDelay,
  type ApplicationHost,
  type BackgroundRuns,
  type Schedules,
  type Server,
} from '../framework';
import type * as Cluster from '../modules/cluster';
import type { openOperationsPort } from '../modules/operations';
import type { Workers } from '../workers/workers';
import type { Certificates } from './certificates';
import type { StopOptions } from './running-platform';

/** The parts of a process that stop with it; the last ones are undefined before they have started. */
export interface ProcessParts {
  readonly host: ApplicationHost;
  readonly server: Server;
  readonly certificates: Certificates;
  readonly runs: BackgroundRuns;
  readonly schedules: Schedules;
  readonly closeLog: () => void;
  node: Cluster.ClusterNode | undefined;
  workers: Workers | undefined;
  operations: Awaited<ReturnType<typeof openOperationsPort>>;
}

/** Stops a running process: see `RunningPlatform.stop`. */
export async function stop(
  { host, server, certificates, runs, schedules, closeLog, node, workers, operations }: ProcessParts,
  { idleGrace = 1, drainDelay = settingsOf(host).drain_delay }: StopOptions = {},
): Promise<void> {
  const { shutdown_timeout: timeout } = settingsOf(host);
  schedules.stop();
  const endRuns = runs.closeAfter(timerDelay(drainDelay + timeout));
  // A configuration store that is out of reach delays neither `/ready` nor the end of connections.
  const left = node?.stop();
  await workers?.stop();
  await server.close(timeout, { drainDelay, idleGrace });
  certificates.close();
  await left;
  await host.close();
  endRuns();
  await node?.close();
  await operations?.close();
  closeLog();
}

/** Stops what has started but the log, without a delay. @param starting the node if it has not started */
export async function abandon(
  { host, server, certificates, runs, schedules, node, workers }: ProcessParts,
  starting: Cluster.StartingNode | undefined,
): Promise<void> {
  certificates.close();
  schedules.stop();
  const endRuns = runs.closeAfter(0);
  await workers?.stop();
  await server.close(0);
  await (node === undefined ? starting?.abandon() : node.stop().then(() => node.close()));
  await host.close();
  endRuns();
}

/** The settings `server` of the active application. */
export function settingsOf(host: ApplicationHost): Static<typeof serverSettings> {
  return host.current.configuration.section('server', serverSettings);
}
