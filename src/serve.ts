import { reportUnsettled } from './command-line/unsettled-startup';
import { wrapSlices, type Application, type Module } from './framework';
import { partWithFlagsOfStart, withFlagsOfStart } from './loading/optimization-flags';
import { Catalogue } from './modules/hosting';
import { notify, Signals } from './signals';
import type { RunningPlatform } from './start';
import { startProcess, type ProcessRole } from './start/start-process';
import type * as Primary from './workers/primary';
import type { Workers } from './workers/workers';

const load = require;

export interface ServeOptions {
  /** Modules in addition to those of the project. Without them, several processes can serve it (`server.workers`). */
  readonly modules?: readonly Module[];
  /** The origin whose addresses are on the console already. */
  readonly knownOrigin?: string | undefined;
}

/**
 * Serves a project until a signal stops it: prints its addresses, and the warnings of the start.
 * @param root the folder that contains `config/`; defaults to the working directory
 * @throws ConfigurationError for an invalid configuration, and a port that cannot be used
 */
export async function serve(
  root?: string,
  { modules, knownOrigin }: ServeOptions = {},
): Promise<RunningPlatform> {
  const signals = new Signals();
  wrapSlices(partWithFlagsOfStart);
  const platform = await reportUnsettled(process.stderr, () =>
    withFlagsOfStart(() =>
      startProcess(
        { ...(root === undefined ? {} : { root }), ...(modules === undefined ? {} : { modules }) },
        modules === undefined ? { startWorkers: (primary) => startWorkers(primary, signals) } : {},
      ),
    ),
  );
  const { application } = platform;
  for (const warning of application.warnings) process.stderr.write(`Warning: ${warning}\n`);
  const isDevelopment = modules !== undefined;
  const lines = banner(platform, application, await sampleAddresses(application), isDevelopment);
  // The reader of the console may be gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // Before the address is printed: a process that waits for it may send a signal immediately.
  signals.serve(platform);
  if (platform.origin !== knownOrigin) process.stdout.write(`${lines}\n`);
  notify('ready');
  return platform;
}

/** Loads what only several processes need. */
function startWorkers(
  primary: Parameters<NonNullable<ProcessRole['startWorkers']>>[0],
  signals: Signals,
): Promise<Workers> {
  signals.expectWorkers();
  const { openWorkers } = load('./workers/primary') as typeof Primary;
  return openWorkers(primary);
}

/** One address per public API, for a first request: a GET operation, without parameters in its path if there is one. */
async function sampleAddresses({ services }: Application): Promise<readonly string[]> {
  if (!services.has(Catalogue)) return [];
  const { apis } = await services.get(Catalogue);
  return apis.flatMap(({ basePath, defaultVersion, versions, visibility }) => {
    if (visibility !== 'public') return [];
    const version = versions.find((one) => one.version === defaultVersion);
    const paths = (version?.services ?? [])
      .filter(({ operations }) => operations.some(({ method }) => method === 'GET'))
      .map(({ route }) => route.replace(/\[.*$/, ''));
    const path = paths.find((one) => !one.includes(':')) ?? paths[0];
    return path === undefined ? [] : [`${basePath}/v${defaultVersion}${path}`];
  });
}

function banner(
  { origin, operations, workers }: RunningPlatform,
  { baseUrl, modules, notices }: Application,
  apis: readonly string[],
  isDevelopment: boolean,
): string {
  // A process of development is replaced by each restart, and reloads what changes.
  const hasSignal = process.platform !== 'win32' && !isDevelopment;
  const lines = [
    ...apis.map((api) => ['API', `${origin}${baseUrl}${api}`]),
    modules.some(({ name }) => name === 'documentation')
      ? ['Documentation', `${origin}${baseUrl}/platform/documentation`]
      : ['Service', `${origin}${baseUrl}`],
    ...(operations === undefined ? [] : [['Metrics', `${operations}/metrics`]]),
    ...(workers === undefined ? [] : [['Workers', String(workers.size)]]),
    ...notices.map(({ label, target }) => [label, /^https?:/.test(target) ? target : origin + target]),
    ...(hasSignal ? [['Reload', `kill -HUP ${process.pid}`]] : []),
    ['Stop', 'Ctrl+C'],
  ];
  const width = Math.max(...lines.map(([name = '']) => name.length)) + 2;
  return lines.map(([name = '', value = '']) => `${name.padEnd(width)}${value}`).join('\n');
}
