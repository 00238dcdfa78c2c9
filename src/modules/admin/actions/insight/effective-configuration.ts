import {
  formatKeyPath,
  formatPointer,
  isObject,
  parsePointer,
  problem,
  runCooperatively,
  valueAt,
  type Configuration,
  type ConfigValue,
  type KeyPath,
  type Steps,
} from '../../../../framework';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { toEffectiveValue, isChanged, matchesWords, type EffectiveValue } from './effective-value';

/** The values of one top-level key. */
interface ConfigurationSection {
  readonly key: string;
  readonly description: string | undefined;
  readonly values: readonly EffectiveValue[];
}

export interface ConfigurationSearch {
  /** Words that the path, value or source must all contain. */
  readonly text?: string;
  readonly onlyChanged?: boolean;
  /** The path to search below; defaults to the root. */
  readonly at?: KeyPath;
  /** The number of values to skip; defaults to 0. */
  readonly offset?: number;
  /** The maximum number of values; unlimited by default. */
  readonly limit?: number;
}

export interface FoundValues {
  /** The number of matching values. */
  readonly count: number;
  /** The requested values by section, sorted by key; empty sections are omitted. */
  readonly sections: readonly ConfigurationSection[];
}

/** A part of the configuration that has members. */
interface ConfigurationGroup {
  /** The key path below the enclosing part, as displayed; includes parts that are an only member. */
  readonly key: string;
  /** The key path as a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly description: string | undefined;
  /** The number of its values. */
  readonly count: number;
}

export interface ConfigurationMembers {
  readonly groups: readonly ConfigurationGroup[];
  readonly values: readonly EffectiveValue[];
}

/** Lists the effective configuration, yielding to requests. */
export class EffectiveConfiguration {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Finds the values that contain every word of a text. */
  async find(search: ConfigurationSearch = {}): Promise<FoundValues> {
    return await runCooperatively(find(this.#changes.configuration, search));
  }

  /** Counts the values at and below a path. */
  async count(at: KeyPath = []): Promise<number> {
    return await runCooperatively(this.#changes.configuration.countAt(at));
  }

  /** Lists the members of a path. */
  async members(at: KeyPath = []): Promise<ConfigurationMembers> {
    return await runCooperatively(members(this.#changes.configuration, at));
  }

  /** Returns the key path of a JSON Pointer. @throws Problem 404 if it has no value */
  pathTo(pointer: string): KeyPath {
    const tree = this.#changes.configuration.valueAt([]) ?? {};
    let value: ConfigValue | undefined = tree;
    const path: (string | number)[] = [];
    for (const name of parsePointer(pointer)) {
      const key: string | number = Array.isArray(value) ? Number(name) : name;
      path.push(key);
      value = value === undefined ? undefined : valueAt(value, [key]);
    }
    if (value === undefined)
      throw problem('name_not_found', {
        kind: 'key',
        name: formatKeyPath(path),
        names: Object.keys(tree).sort(),
      });
    return path;
  }
}

/** Values that are searched per cooperative step. */
const SEARCHED_PER_STEP = 50;

function* find(configuration: Configuration, search: ConfigurationSearch): Steps<FoundValues> {
  const { text = '', onlyChanged = false, at = [], offset = 0, limit = Infinity } = search;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = new Map<string, EffectiveValue[]>();
  let count = 0;
  let searched = 0;
  for (const from of at.length > 0 ? [at] : sectionPaths(configuration)) {
    for (const explained of configuration.explained(from)) {
      if (explained === undefined || ++searched % SEARCHED_PER_STEP === 0) yield;
      if (
        explained === undefined ||
        (onlyChanged && !isChanged(explained)) ||
        !matchesWords(explained, words)
      )
        continue;
      if (count++ < offset || count > offset + limit) continue;
      const key = String(explained.path[0]);
      const values = sections.get(key) ?? [];
      sections.set(key, values);
      values.push(toEffectiveValue(explained, configuration));
    }
  }
  return {
    count,
    sections: [...sections].map(([key, values]) => ({
      key,
      values,
      description: descriptionOf(configuration, key),
    })),
  };
}

function* members(configuration: Configuration, at: KeyPath): Steps<ConfigurationMembers> {
  const groups: ConfigurationGroup[] = [];
  const values: EffectiveValue[] = [];
  for (const path of at.length === 0 ? sectionPaths(configuration) : memberPaths(configuration, at)) {
    if (isBranch(configuration.valueAt(path))) {
      const whole = onlyBranch(configuration, path);
      groups.push({
        key: formatKeyPath(whole.slice(at.length)),
        pointer: formatPointer(whole),
        description: at.length === 0 ? descriptionOf(configuration, String(path[0])) : undefined,
        count: yield* configuration.countAt(whole),
      });
    } else {
      for (const explained of configuration.explained(path)) {
        yield;
        if (explained !== undefined) values.push(toEffectiveValue(explained, configuration));
      }
    }
  }
  return { groups, values };
}

function sectionPaths(configuration: Configuration): readonly KeyPath[] {
  const tree = configuration.valueAt([]);
  return isObject(tree)
    ? Object.keys(tree)
        .sort()
        .map((key) => [key])
    : [];
}

function memberPaths(configuration: Configuration, at: KeyPath): readonly KeyPath[] {
  const value = configuration.valueAt(at);
  if (typeof value !== 'object' || value === null) return [];
  const keys: readonly (string | number)[] = isObject(value) ? Object.keys(value) : [...value.keys()];
  return keys.map((key) => [...at, key]);
}

/** Arrays of scalars are displayed as one value. */
function isBranch(value: ConfigValue | undefined): boolean {
  if (isObject(value)) return Object.keys(value).length > 0;
  return Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null);
}

/** Descends while there is a single member with members of its own. */
function onlyBranch(configuration: Configuration, path: KeyPath): KeyPath {
  const [only, ...others] = memberPaths(configuration, path);
  const isAlone = only !== undefined && others.length === 0 && isBranch(configuration.valueAt(only));
  return isAlone ? onlyBranch(configuration, only) : path;
}

function descriptionOf({ schemas }: Configuration, key: string): string | undefined {
  return schemas.get(key)?.description;
}
