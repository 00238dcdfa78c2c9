import { StartError } from './start-error';
import { isTree, showPath, type ConfigTree, type ConfigValue, type KeyPath } from './tree';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables that are settings of their own, above every file. */
const variables: readonly {
  readonly name: string;
  readonly path: readonly [string, string];
  readonly number: boolean;
}[] = [
  { name: 'HOST', path: ['server', 'host'], number: false },
  { name: 'PORT', path: ['server', 'port'], number: true },
];

/**
 * The layer that environment variables make: `PORT=9000` → `{ server: { port: 9000 } }`.
 * @throws StartError when a number is none
 */
export function environmentLayer(environment: Environment): ConfigTree {
  const layer: Record<string, Record<string, ConfigValue>> = {};
  for (const { name, path, number } of variables) {
    const text = environment[name];
    if (text === undefined || text === '') continue;
    if (number && !/^\d+$/.test(text)) {
      throw new StartError(`The environment variable ${name} is "${text}"; it must be a whole number.`);
    }
    const [section, key] = path;
    layer[section] = { ...layer[section], [key]: number ? Number(text) : text };
  }
  return layer;
}

/**
 * Puts environment variables where values name them: `"${DATABASE_PASSWORD}"`.
 * @param where names the file, for the message
 * @throws StartError when a variable is not set
 */
export function substitute(tree: ConfigTree, environment: Environment, where: string): ConfigTree {
  return substituteIn(tree, environment, where, []) as ConfigTree;
}

function substituteIn(
  value: ConfigValue,
  environment: Environment,
  where: string,
  path: KeyPath,
): ConfigValue {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found !== undefined) return found;
      throw new StartError(
        `${where}: ${showPath(path)} names the environment variable ${name}, which is not set. Set it, or write the value.`,
      );
    });
  }
  if (isTree(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        substituteIn(member, environment, where, [...path, key]),
      ]),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return value.map((member, at) => substituteIn(member, environment, where, [...path, at]));
}
