import cluster from 'node:cluster';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { availableParallelism } from 'node:os';
import {
  Deployment,
  listenError,
  serverSettings,
  STANDARD_ERROR,
  STANDARD_OUTPUT,
  type ApplicationHost,
  type SharedState,
} from '../framework';
import { RequestMetrics, RequestTraces, WorkerMetrics } from '../modules/operations';
import type { WorkerStart } from './messages';
import { measureAll, workerMeasurements } from './pool/measure-workers';
import { ForwardingPort } from './forwarding/forwarding-port';
import { currentCounts, shareCounts } from './state/shared-counts';
import { rescueConnections } from './pending-connections';
import { keepInsight } from './state/shared-insight';
import { outputOf, WorkerOutput } from './pool/worker-output';
import { WorkerPool } from './pool/worker-pool';
import { WorkerProcess } from './pool/worker-process';
import { WorkerReplicas } from './pool/worker-replicas';
import type { Workers } from './workers';

/** Seconds that a worker may take to end after the time that its shutdown should take. */
const GRACE = 5;

/** What all processes of a service share. */
interface PrimaryState {
  readonly host: ApplicationHost;
  readonly sharedState: SharedState;
  readonly deployment: Deployment;
  readonly metrics: WorkerMetrics;
}

/**
 * Starts the workers of a service: processes that serve its requests, on one port. This process serves none of them but
 * those of administrators.
 *
 * @throws ConfigurationError if a worker cannot start, e.g. because the port is in use
 */
export async function openWorkers({ host }: { readonly host: ApplicationHost }): Promise<Workers> {
  const settings = () => host.current.configuration.section('server', serverSettings);
  const { host: name, port: configured, workers = 1 } = settings();
  const port = configured === 0 ? await freePort(name) : configured;
  const forwarding = await ForwardingPort.open(host);
  setUpCluster();
  const output = new WorkerOutput(() => host.current.log);
  const { sharedState } = host.current;
  const metrics = new WorkerMetrics(sharedState.getOrCreate(RequestMetrics, () => new RequestMetrics()));
  const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
  const state: PrimaryState = { host, sharedState, deployment, metrics };
  const pool: WorkerPool = new WorkerPool({
    size: workers === 'auto' ? availableParallelism() : workers,
    fork: (number) => forkWorker(number, state, output, () => pool.ready),
    start: (worker) => startWorker(worker, state, { host: name, port, adminPort: forwarding.target }),
    exclusively: (action) => host.exclusively(action),
    stopTimeout: () => {
      const { drain_delay: drainDelay, shutdown_timeout: timeout } = settings();
      return drainDelay + timeout + GRACE;
    },
    log: () => host.current.log,
  });
  try {
    await pool.start();
  } catch (error) {
    await forwarding.close();
    throw error;
  }
  const shareRecording = (): void => shareRecordings(sharedState, pool);
  shareRecording();
  host.onActivate(shareRecording);
  host.replicateTo(new WorkerReplicas(() => pool.ready));
  let isStopping = false;
  return {
    port,
    size: pool.size,
    get readyCount() {
      return pool.ready.length;
    },
    get isStopping() {
      return isStopping;
    },
    metrics,
    measurements: workerMeasurements(pool),
    measure: () => measureAll(pool.running, metrics),
    replaceAll: () => pool.replaceAll(),
    reopenLogs: async () => {
      await Promise.allSettled(pool.running.map(({ channel }) => channel.call('reopenLogs', null)));
    },
    stop: async () => {
      isStopping = true;
      await pool.stop();
      await forwarding.close();
    },
  };
}

/** Workers that are started later need the port of the first. @throws ConfigurationError for an unusable address */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, 0)));
    server.listen(0, host, () => {
      // A server that listens on a port has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function setUpCluster(): void {
  // Shared sockets would leave the distribution to the system, which prefers few processes.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    exec: path.join(__dirname, 'main.js'),
    args: [],
    serialization: 'advanced',
    stdio: ['ignore', outputOf(STANDARD_OUTPUT), outputOf(STANDARD_ERROR), 'ipc'],
  });
}

/** Starts a process, and handles its messages. @param ready the workers that may take its connections over */
function forkWorker(
  number: number,
  state: PrimaryState,
  output: WorkerOutput,
  ready: () => readonly WorkerProcess[],
): WorkerProcess {
  const forked = cluster.fork();
  const worker = new WorkerProcess(number, forked);
  // A process that could not be started has neither streams nor a channel.
  if (forked.process.pid !== undefined) {
    output.add(forked.process);
    rescueConnections(forked, ready);
  }
  shareState(worker, state);
  return worker;
}

/** Starts a worker with the state of the service as it is now. */
async function startWorker(
  worker: WorkerProcess,
  { host, sharedState, deployment: { state, keys } }: PrimaryState,
  ports: Pick<WorkerStart, 'host' | 'port' | 'adminPort'>,
): Promise<void> {
  await worker.start({
    number: worker.number,
    root: host.root,
    snapshot: host.snapshotOf(host.current),
    ...ports,
    deployment: { generation: state.generation, now: state.now(), secrets: keys.secrets },
    counts: currentCounts(sharedState),
  });
  const recording = sharedState.find(RequestTraces)?.ongoing;
  if (recording !== undefined) worker.channel.notify('record', recording);
}

/** Handles the messages of a worker, and counts with it until it ends. */
function shareState(worker: WorkerProcess, { host, sharedState, deployment, metrics }: PrimaryState): void {
  const { channel } = worker;
  const counting = shareCounts(sharedState, (changes) => channel.notify('merge', changes));
  channel.handle('reload', () => host.reload());
  channel.handle('insight', (text) => keepInsight(sharedState, text));
  channel.handle('merge', (changes) => counting.receive(changes));
  channel.handle('claim', ({ nonce, count }) => deployment.state.counterFor(nonce).claim(count));
  channel.handle('report', (report) => metrics.add(worker, report));
  void worker.ended.then(() => {
    metrics.remove(worker);
    counting.leave();
  });
}

/** Has the workers record the traces of requests that administrators record. */
function shareRecordings(sharedState: SharedState, pool: WorkerPool): void {
  const traces = sharedState.find(RequestTraces);
  if (traces === undefined) return;
  traces.onRecording = (options) => {
    for (const { channel } of pool.ready) channel.notify('record', options);
  };
}
