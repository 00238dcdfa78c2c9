import { ConfigurationError, describeValue, isObject, type ConfigObject } from '../framework';
import { assertProgramOptions, programOptionNames, type ProgramOptions } from '../start';

/** The options of a handler in the server of another program. */
export interface MountOptions extends ProgramOptions {
  /**
   * The path of the handler in the server, such as `/api`: links, redirects and the documentation have it. Sets
   * `server.base_url`, from which it is taken by default.
   */
  readonly mountPath?: string;
}

const MOUNT_PATH = /^(\/[A-Za-z0-9._~-]+)*$/;

/**
 * Returns the options with the mount path in the configuration.
 * @param source the called function, for messages, such as `createHandler`
 * @param further the names of further options
 * @throws ConfigurationError for an unknown option, and for one that has another type
 */
export function withMountPath(
  options: MountOptions,
  source: string,
  further: readonly string[] = [],
): ProgramOptions {
  assertProgramOptions(options, source, [...programOptionNames, 'mountPath', ...further]);
  const { mountPath, configuration = {} } = options;
  if (mountPath === undefined) return options;
  if (typeof mountPath !== 'string' || !MOUNT_PATH.test(mountPath))
    throw new ConfigurationError(
      `${source}: mountPath is ${describeValue(mountPath)}. Pass a path such as "/api": without a slash at the end, and empty for the root.`,
    );
  return {
    ...options,
    // Without a configuration, the program wants that of a project.
    ...(options.configuration === undefined ? { root: options.root ?? process.cwd() } : {}),
    configuration: withBaseUrl(configuration, mountPath, source),
  };
}

/** @throws ConfigurationError if the configuration has another path */
function withBaseUrl(configuration: ConfigObject, mountPath: string, source: string): ConfigObject {
  // Another value is an error of the configuration, which is checked later.
  if (!isObject(configuration)) return configuration;
  const { server = {} } = configuration;
  if (!isObject(server)) return configuration;
  const { base_url: baseUrl = mountPath } = server;
  if (baseUrl !== mountPath)
    throw new ConfigurationError(
      `${source}: mountPath is ${describeValue(mountPath)}, but configuration.server.base_url is ${describeValue(baseUrl)}. Pass one of them.`,
    );
  return { ...configuration, server: { ...server, base_url: mountPath } };
}
