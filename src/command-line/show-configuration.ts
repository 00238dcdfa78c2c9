import {
  loadConfiguration,
  loadModules,
  nearest,
  showPath,
  StartError,
  type ExplainedValue,
} from '../framework';
import { builtInModules } from '../modules';
import type { ConfigIo } from './config-command';

/** What stands for a secret. */
const MASK = '••••••';

export interface ShowOptions {
  /** A key path as people write it; everything unless told. */
  readonly key?: string | undefined;
  readonly json: boolean;
}

/** A value as it is shown: secrets masked, or as the text of the file that names their variable. */
interface ShownValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly secret: boolean;
  readonly restart: boolean;
}

/**
 * Writes the effective configuration: a line for each value, with the file that it comes from.
 * @throws StartError for configuration with errors, or a key that nothing stands at
 */
export async function showConfiguration(
  root: string,
  { stdout, environment }: ConfigIo,
  { key, json }: ShowOptions,
): Promise<void> {
  const configuration = await loadConfiguration(root, await loadModules(root, builtInModules), environment);
  const all = configuration.explain().map(toShown);
  const found = key === undefined ? all : all.filter((one) => isAtOrBelow(one.key, key));
  if (found.length === 0) {
    const meant = nearest(
      key ?? '',
      all.map((one) => one.key),
    );
    throw new StartError(
      `Nothing is set at ${key ?? ''}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    );
  }
  stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : linesOf(found));
}

function toShown({ path, value, source, secret, restart, written }: ExplainedValue): ShownValue {
  return { key: showPath(path), value: secret ? (written ?? MASK) : value, source, secret, restart };
}

function isAtOrBelow(shown: string, key: string): boolean {
  return shown === key || shown.startsWith(`${key}.`) || shown.startsWith(`${key}[`);
}

/** Each value, and under it, set off, its source. */
function linesOf(values: readonly ShownValue[]): string {
  const width = Math.min(60, Math.max(...values.map((one) => settingOf(one).length)));
  return values.map((one) => `${settingOf(one).padEnd(width)}  # ${one.source}\n`).join('');
}

function settingOf({ key, value }: ShownValue): string {
  return `${key} = ${value === MASK ? MASK : JSON.stringify(value)}`;
}
