import path from 'node:path';
import {
  ConfigurationError,
  describeValue,
  isObject,
  unknownOptions,
  type ConfigObject,
  type Environment,
  type HostOptions,
  type Log,
  type Module,
} from '../framework';

/** What a program passes to configure the platform; everything is optional. */
export interface ProgramOptions {
  /**
   * The folder that contains `config/`. Defaults to the working directory; with `configuration`, to none: nothing is read
   * or written but the files that the configuration names, relative to the working directory.
   */
  readonly root?: string;
  /**
   * What a file in `config/autoload` would contain. Overrides the files of `root`; the environment overrides it.
   */
  readonly configuration?: ConfigObject;
  /** Modules, or names of built-in ones, in addition to those listed in `config/application.json`. */
  readonly modules?: readonly (Module | string)[];
  /** Environment variables; defaults to those of the process. */
  readonly environment?: Environment;
  /** Defaults to lines on standard error. */
  readonly log?: Log;
  /** Seconds that building a new application may take during a reload, or `Infinity`; defaults to 60. */
  readonly buildTimeout?: number;
}

/** How a program starts a server. */
export interface StartOptions extends ProgramOptions {
  /** Whether to listen; defaults to true. With false, requests are only handled with `inject`, as in tests. */
  readonly listen?: boolean;
}

const LOG_METHODS = ['error', 'warn', 'info'] as const;

/** The option names of {@link ProgramOptions}. */
export const programOptionNames = [
  'root',
  'configuration',
  'modules',
  'environment',
  'log',
  'buildTimeout',
] as const satisfies readonly (keyof ProgramOptions)[];

/**
 * @param source the called function, for messages, such as `startPlatform`
 * @param known the names of its options
 * @throws ConfigurationError for an unknown option, and for one that has another type
 */
export function assertProgramOptions(
  options: ProgramOptions,
  source: string,
  known: readonly string[],
): void {
  const message = unknownOptions(options, known);
  if (message !== undefined) throw new ConfigurationError(`${source}: ${message}`);
  const { root = '', modules = [], log, buildTimeout = 0, environment = {} } = options;
  if (typeof root !== 'string')
    throw new ConfigurationError(`${source}: root is ${describeValue(root)}. Pass the path of a folder.`);
  if (!Array.isArray(modules))
    throw new ConfigurationError(
      `${source}: modules is ${describeValue(modules)}. Pass a list of modules and names of built-in ones.`,
    );
  // Nothing would be logged.
  if (log !== undefined && !LOG_METHODS.every((name) => hasMethod(log, name)))
    throw new ConfigurationError(
      `${source}: log is ${describeValue(log)}. Pass an object with the methods ${LOG_METHODS.join(', ')}, such as a logger of pino.`,
    );
  if (typeof buildTimeout !== 'number' || !(buildTimeout >= 0))
    throw new ConfigurationError(
      `${source}: buildTimeout is ${describeValue(buildTimeout)}. Pass a number of seconds, or Infinity.`,
    );
  if (!isObject(environment))
    throw new ConfigurationError(
      `${source}: environment is ${describeValue(environment)}. Pass an object with environment variables.`,
    );
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}

/** Returns where an application comes from, by the options of a program. */
export function sourcesOf(
  { root, configuration, modules = [], environment = process.env, buildTimeout }: ProgramOptions,
  source: string,
): Pick<HostOptions, 'root' | 'hasProject' | 'program' | 'modules' | 'environment' | 'buildTimeout'> {
  return {
    root: path.resolve(root ?? process.cwd()),
    hasProject: root !== undefined || configuration === undefined,
    program: { source, configuration: configuration ?? {} },
    modules,
    environment,
    ...(buildTimeout === undefined ? {} : { buildTimeout }),
  };
}
