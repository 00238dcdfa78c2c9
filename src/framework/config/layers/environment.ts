import { ConfigurationError } from '../../errors/configuration-error';
import { isObject, type ConfigObject, type ConfigValue, type KeyPath } from '../../values/config-object';
import { ownValue } from '../../values/own-members';
import { mayHaveReferences, referencedNames, replaceReferences } from './references';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables that override settings of every file. */
const variables: readonly {
  readonly name: string;
  readonly path: readonly [string, string];
  readonly number: boolean;
}[] = [
  { name: 'HOST', path: ['server', 'host'], number: false },
  { name: 'PORT', path: ['server', 'port'], number: true },
  { name: 'LOG_LEVEL', path: ['log', 'level'], number: false },
];

/**
 * Builds the layer of environment variables: `PORT=9000` → `{ server: { port: 9000 } }`.
 * @throws ConfigurationError for a value that is not a number if a number is required
 */
export function environmentLayer(environment: Environment): ConfigObject {
  const layer: Record<string, Record<string, ConfigValue>> = {};
  for (const { name, path, number } of variables) {
    const text = environment[name];
    if (text === undefined || text === '') continue;
    if (number && !/^\d+$/.test(text)) {
      throw new ConfigurationError(
        `The environment variable ${name} is "${text}"; it must be a whole number.`,
      );
    }
    const [section, key] = path;
    layer[section] = { ...layer[section], [key]: number ? Number(text) : text };
  }
  return layer;
}

/** A value with an environment variable that is not set. */
interface UnsetVariable {
  readonly path: KeyPath;
  readonly name: string;
}

/** A tree with environment variables substituted. */
export interface Substituted {
  /** Without the values of unset variables. */
  readonly tree: ConfigObject;
  readonly unset: readonly UnsetVariable[];
  /** The values with variables, as written in the file. */
  readonly written: readonly WrittenValue[];
}

/** A value with environment variables, as written in the file. */
export interface WrittenValue {
  readonly path: KeyPath;
  readonly text: string;
}

/** Substitutes environment variables: `"${DATABASE_PASSWORD}"`. */
export function substitute(tree: ConfigObject, environment: Environment): Substituted {
  // Avoids copying megabytes without a variable.
  if (!hasVariable(tree)) return { tree, unset: [], written: [] };
  const unset: UnsetVariable[] = [];
  const written: WrittenValue[] = [];
  // The environment of a process inherits members, such as `constructor`.
  const valueOf = (name: string): string | undefined => ownValue(environment, name);
  const inText = (text: string, path: KeyPath): string | undefined => {
    const names = referencedNames(text);
    const missing = new Set(names.filter((name) => valueOf(name) === undefined));
    for (const name of missing) unset.push({ path, name });
    if (names.length > 0) written.push({ path, text });
    return missing.size > 0 ? undefined : replaceReferences(text, (name) => valueOf(name) ?? '');
  };
  const inMap = (map: ConfigObject, path: KeyPath): ConfigObject => {
    const before = Object.entries(map);
    const after = before.flatMap(([key, member]) => {
      const value = inValue(member, [...path, key]);
      return value === undefined ? [] : [[key, value] as const];
    });
    // Parts without variables are shared with those of other texts of the file.
    const isSame = after.length === before.length && after.every(([, one], at) => one === before[at]?.[1]);
    return isSame ? map : Object.fromEntries(after);
  };
  const inValue = (value: ConfigValue, path: KeyPath): ConfigValue | undefined => {
    if (typeof value === 'string') return inText(value, path);
    if (isObject(value)) return inMap(value, path);
    if (typeof value !== 'object' || value === null) return value;
    const members = value.map((member, at) => inValue(member, [...path, at]));
    if (members.every((member, at) => member === value[at])) return value;
    // A gap would shift the positions of the list.
    return members.every((member) => member !== undefined) ? members : undefined;
  };
  return { tree: inMap(tree, []), unset, written };
}

/** Sections that were searched for variables: files are cached, and sections of megabytes rarely change. */
const searched = new WeakMap<object, boolean>();

/** Returns whether any string may contain a variable. */
function hasVariable(tree: ConfigObject): boolean {
  return Object.values(tree).some((section) => {
    if (typeof section !== 'object' || section === null) return mayHaveReferences(section);
    const known = searched.get(section) ?? mayHaveReferences(section);
    searched.set(section, known);
    return known;
  });
}
