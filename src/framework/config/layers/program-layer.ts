import { ConfigurationError } from '../../errors/configuration-error';
import { describeValue } from '../../text/describe-value';
import {
  formatKeyPath,
  isList,
  isPlainObject,
  type ConfigObject,
  type KeyPath,
} from '../../values/config-object';

/** Configuration that a program passes instead of writing it to a file. */
export interface ProgramConfiguration {
  /** The function that received it, for messages, such as `startPlatform`. */
  readonly source: string;
  /** What a file in `config/autoload` would contain; unvalidated. */
  readonly configuration: unknown;
}

/**
 * Returns a layer with a copy of the configuration, as JSON would represent it: members that are undefined are left
 * out.
 * @throws ConfigurationError with every value that JSON cannot represent
 */
export function programLayer({ source, configuration }: ProgramConfiguration): {
  readonly source: string;
  readonly tree: ConfigObject;
} {
  if (!isPlainObject(configuration))
    throw new ConfigurationError(
      `${source}: configuration is ${describeValue(configuration)}. Pass an object with what a file in config/autoload would contain, such as { server: { port: 0 } }.`,
    );
  const errors: string[] = [];
  const copy = copyOf(configuration, [], [], (path, reason) =>
    errors.push(`${source}: ${formatKeyPath(path)}: ${reason}`),
  );
  if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
  // An object is copied to an object of JSON values.
  return { source, tree: copy as ConfigObject };
}

/** @param holders the objects around the value, which it must not contain again */
function copyOf(
  value: unknown,
  path: KeyPath,
  holders: readonly unknown[],
  refuse: (path: KeyPath, reason: string) => void,
): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (holders.includes(value)) refuse(path, 'contains itself. Pass a copy of the object.');
  else if (isList(value))
    return value.map((member, at) => copyOf(member, [...path, at], [...holders, value], refuse));
  else if (isPlainObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      members.map(([key, member]) => [key, copyOf(member, [...path, key], [...holders, value], refuse)]),
    );
  } else
    refuse(
      path,
      `is ${describeValue(value)}. Pass a JSON value: a string, a number, true, false, null, a list or an object.`,
    );
  return undefined;
}
