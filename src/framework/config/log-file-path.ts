import path from 'node:path';
import type { Configuration } from './configuration';
import { formatKeyPath, type KeyPath } from '../values/config-object';
import { pathInside } from '../values/path-inside';
import { ConfigurationError } from '../errors/configuration-error';

/**
 * Returns the absolute path of a log file that the configuration names, relative to the project root.
 * @param key the path of its value, which exists
 * @param others keys of further log files, which may be missing
 * @throws ConfigurationError for a file below `config/`, which lines would damage, and for one that another log has
 */
export function logFilePath(
  configuration: Configuration,
  key: KeyPath,
  others: readonly KeyPath[] = [],
): string {
  const resolve = (value: unknown): string => path.resolve(configuration.root, String(value));
  const file = resolve(configuration.valueAt(key));
  const refuse = (reason: string): ConfigurationError =>
    new ConfigurationError(`${configuration.sourceOf(key)}: ${formatKeyPath(key)}: ${reason}`);
  if (pathInside(path.join(configuration.root, 'config'), file) !== undefined)
    throw refuse('a log must not be in config/, whose files are read as configuration. Write it in data/.');
  const shared = others.find((other) => {
    const value = configuration.valueAt(other);
    return typeof value === 'string' && resolve(value) === file;
  });
  if (shared !== undefined) throw refuse(`${formatKeyPath(shared)} is the same file. Name another one.`);
  return file;
}
