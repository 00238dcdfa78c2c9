import { Deployment, DeploymentKeys, LogFiles, SharedState, wrapSlices } from '../framework';
import { partWithFlagsOfStart, withFlagsOfStart } from '../loading/optimization-flags';
import { watchErrors } from '../process-errors';
import type { RunningPlatform, StopOptions } from '../start';
import { startProcess } from '../start/start-process';
import { Channel } from './channel';
import { ForwardingHandler } from './forwarding/forwarding';
import { shareCounts } from './state/shared-counts';
import { record, reportInsight } from './state/shared-insight';
import { PreparedApplication } from './prepared-application';
import { WorkerReporter } from './worker-reporter';
import { PrimaryState } from './state/primary-state';
import type { PrimaryCalls, WorkerCalls, WorkerStart } from './messages';

/**
 * A worker that has a successor, or gets one: load balancers need not notice, and nobody waits for its end, so that slow
 * clients get more time for a request that closes their connection.
 */
const REPLACED: StopOptions = { drainDelay: 0, idleGrace: 3 };

/**
 * The signals that the primary acts on: terminals and service managers send them to all processes of a service. At SIGUSR1,
 * Node would start its debugger.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/** Serves requests as the primary says. The process ends with the primary. */
export function startWorker(): void {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  wrapSlices(partWithFlagsOfStart);
  const channel = new Channel<WorkerCalls, PrimaryCalls>({
    send: (message) => process.send?.(message, undefined, undefined, () => undefined),
    on: (event, listener) => process.on(event, listener),
  });
  let platform: RunningPlatform | undefined;
  let reporter: WorkerReporter | undefined;
  const running = (): RunningPlatform => {
    if (platform === undefined) throw new Error('The worker has not started yet.');
    return platform;
  };
  channel.handle('start', async (input) => {
    platform = await withFlagsOfStart(() =>
      startProcess({ root: input.root }, { worker: roleOf(input, channel) }),
    );
    watchErrors(platform, () => {
      channel.notify('fail', null);
      // No change of the configuration reaches it from now on: it must not accept connections.
      stop(1, REPLACED);
    });
    const { host, application } = platform;
    const share = (): void =>
      reportInsight(application.sharedState, (text) => channel.notify('insight', text));
    share();
    host.onActivate(share);
    reporter = WorkerReporter.start(platform, channel);
  });
  channel.handle('record', (options) => record(running().application.sharedState, options));
  channel.handle('measure', () => reporter?.measure() ?? []);
  const prepared = new PreparedApplication(() => running().host);
  channel.handle('prepare', (snapshot) => prepared.prepare(snapshot));
  channel.handle('discard', () => prepared.discard());
  channel.handle('activate', () => prepared.activate());
  channel.handle('reopenLogs', () => platform?.application.sharedState.find(LogFiles)?.reopen() ?? 0);
  let isStopping = false;
  const stop = (code: number, options: StopOptions = {}): void => {
    if (isStopping) return;
    isStopping = true;
    const end = (): never => process.exit(code);
    if (platform === undefined) end();
    running()
      .stop(options)
      .then(() => reporter?.close())
      .then(end, () => process.exit(1));
  };
  channel.handle('stop', ({ isReplaced }) => stop(0, isReplaced ? REPLACED : {}));
  channel.notify('loaded', null);
}

function roleOf(
  { snapshot, host, port, adminPort, deployment, counts }: WorkerStart,
  channel: Channel<WorkerCalls, PrimaryCalls>,
): NonNullable<Parameters<typeof startProcess>[1]>['worker'] & object {
  const sharedState = new SharedState();
  const [current, ...previous] = deployment.secrets;
  const keys = new DeploymentKeys([Buffer.from(current), ...previous.map((one) => Buffer.from(one))]);
  sharedState.getOrCreate(
    Deployment,
    () => new Deployment(new PrimaryState(channel, deployment), keys, true),
  );
  const primary = shareCounts(sharedState, (changes) => channel.notify('merge', changes));
  primary.receive(counts);
  channel.handle('merge', (changes) => primary.receive(changes));
  return {
    sharedState,
    snapshot,
    host,
    port,
    handlerOf: (application) => new ForwardingHandler(application, adminPort),
    prepare: (applications) => applications.reloadElsewhere(() => channel.call('reload', null)),
  };
}
