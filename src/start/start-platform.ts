import type { RunningPlatform } from './running-platform';
import { assertProgramOptions, programOptionNames, type StartOptions } from './start-options';
import { startProcess } from './start-process';

/**
 * Loads the configuration of a project, or uses the one that is passed, builds the application and listens.
 * @throws ConfigurationError for an invalid configuration, and a port that cannot be used
 *
 * @example
 * const platform = await startPlatform({ modules: [notes], configuration: { server: { port: 8080 } } });
 * console.log(platform.origin);
 */
export async function startPlatform(options: StartOptions = {}): Promise<RunningPlatform> {
  assertProgramOptions(options, 'startPlatform', [...programOptionNames, 'listen']);
  return startProcess(options);
}
