import {
  loadConfiguration,
  loadModules,
  bindModules,
  closestMatch,
  formatKeyPath,
  Services,
  type Configuration,
  type ExplainedValue,
  type LoadedModule,
  type Module,
} from '../../framework';
import { builtInModules } from '../../modules';
import { markConfiguredSecrets } from '../../modules/mvc-auth';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';

/** Replaces the value of a secret. */
const MASK = '••••••';
/** The key of the adapters, whose secrets only their modules know. */
const ADAPTERS = 'platform-mvc-auth.authentication.adapters';

export interface ShowOptions {
  /** A key path such as `server.port`; defaults to all keys. */
  readonly key?: string | undefined;
  readonly json: boolean;
}

/** A value for display: a secret is masked, or shown as the text that names its environment variable. */
interface ShownValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly secret: boolean;
  readonly restart: boolean;
}

/**
 * Prints the loaded modules in order, and the effective configuration: one line per value, with its source.
 * @throws ConfigurationError for an invalid configuration
 * @throws UsageError for a key that is not set
 */
export async function showConfiguration(
  root: string,
  { stdout, environment }: CommandContext,
  { key, json }: ShowOptions,
): Promise<void> {
  const loaded = await loadModules({ root, builtIn: builtInModules });
  const modules = loaded.map(({ module }) => module);
  const configuration = await loadConfiguration(root, modules, environment, { builtIn: builtInModules });
  if (key === undefined || isAtOrBelow(key, ADAPTERS) || isAtOrBelow(ADAPTERS, key))
    await maskSecrets(configuration, modules);
  const all = [...loaded.map(showModule), ...configuration.explain().map(toShown)];
  const found = key === undefined ? all : all.filter((one) => isAtOrBelow(one.key, key));
  if (found.length === 0) {
    const suggestion = closestMatch(
      key ?? '',
      all.flatMap((one) => sectionsOf(one.key)),
    );
    throw new UsageError(
      `Nothing is set at ${key ?? ''}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
    );
  }
  stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : linesOf(found));
}

/** The options of an adapter are described by its kind, a service of a module. */
async function maskSecrets(configuration: Configuration, modules: readonly Module[]): Promise<void> {
  const services = new Services(configuration.root);
  try {
    await markConfiguredSecrets(configuration, async () => {
      await bindModules(services, modules, configuration);
      return services;
    });
  } finally {
    await services.dispose();
  }
}

/** Formats a loaded module like a value; its source is the list, or the module that requires it. */
function showModule({ module, source }: LoadedModule, at: number): ShownValue {
  return { key: `modules[${at}]`, value: module.name, source, secret: false, restart: false };
}

function toShown({ path, value, source, secret, restart, written }: ExplainedValue): ShownValue {
  return { key: formatKeyPath(path), value: secret ? (written ?? MASK) : value, source, secret, restart };
}

/** Returns a key path with those above it: `server`, `server.tls`, `server.tls.key`. */
function sectionsOf(key: string): readonly string[] {
  return [...[...key.matchAll(/[.[]/g)].map(({ index }) => key.slice(0, index)), key];
}

function isAtOrBelow(shown: string, key: string): boolean {
  return shown === key || shown.startsWith(`${key}.`) || shown.startsWith(`${key}[`);
}

/** Formats one line per value, with the source in a column of its own. */
function linesOf(values: readonly ShownValue[]): string {
  const widest = values.reduce((most, one) => Math.max(most, settingOf(one).length), 0);
  const width = Math.min(60, widest);
  return values.map((one) => `${settingOf(one).padEnd(width)}  # ${one.source}\n`).join('');
}

function settingOf({ key, value }: ShownValue): string {
  return `${key} = ${value === MASK ? MASK : JSON.stringify(value)}`;
}
