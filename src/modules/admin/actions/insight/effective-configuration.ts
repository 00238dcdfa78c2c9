import {
  showPath,
  valueAt,
  type Configuration,
  type ConfigValue,
  type ExplainedValue,
} from '../../../../framework';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { MASK } from '../../changes/difference';

/** A value that is in force. */
export interface EffectiveValue {
  /** The key path as people write it. */
  readonly path: string;
  /** The key path below its section. */
  readonly key: string;
  /** As JSON; masked where it is secret. */
  readonly value: string;
  /** The file with line and column, the module, or the environment. */
  readonly source: string;
  readonly isSecret: boolean;
  /** Whether only a restart takes a new value up. */
  readonly needsRestart: boolean;
  /** Whether a file, or the environment, says something else than the modules' defaults. */
  readonly isChanged: boolean;
  /** What it would be without, as JSON; undefined where nothing would be. */
  readonly default?: string;
  /** The text of the file where it names environment variables. */
  readonly written?: string;
}

/** The values below one key of the top level. */
export interface ConfigurationSection {
  readonly key: string;
  readonly description: string | undefined;
  readonly values: readonly EffectiveValue[];
}

export interface ConfigurationSearch {
  /** What the path, the value or the source has to hold; several words, each of them. */
  readonly text?: string;
  readonly onlyChanged?: boolean;
}

const DEFAULTS = 'the defaults of ';

/** The configuration that is in force, value by value. */
export class EffectiveConfiguration {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** The values whose path, value or source holds every word of a text, in the order of their sections. */
  list(text = ''): readonly EffectiveValue[] {
    return this.sections({ text }).flatMap(({ values }) => values);
  }

  /** By section, in the order of their keys; sections without a value that fits are left out. */
  sections({ text = '', onlyChanged = false }: ConfigurationSearch = {}): readonly ConfigurationSection[] {
    const { configuration } = this.#changes;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const sections = new Map<string, EffectiveValue[]>();
    for (const explained of configuration.explain()) {
      const value = describe(explained, configuration);
      if ((onlyChanged && !value.isChanged) || !fits(value, words)) continue;
      const key = String(explained.path[0]);
      sections.set(key, [...(sections.get(key) ?? []), value]);
    }
    return [...sections]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, values]) => ({ key, values, description: configuration.schemas.get(key)?.description }));
  }
}

function describe(explained: ExplainedValue, { layers }: Configuration): EffectiveValue {
  const { path, value, source, secret, restart, written } = explained;
  const shown = (one: ConfigValue): string => (secret ? MASK : JSON.stringify(one));
  const isChanged = !source.startsWith(DEFAULTS);
  const lower = layers
    .filter((layer) => layer.source.startsWith(DEFAULTS))
    .map(({ tree }) => valueAt(tree, path))
    .filter((one) => one !== undefined)
    .at(-1);
  return {
    path: showPath(path),
    key: path.length === 1 ? showPath(path) : showPath(path.slice(1)),
    value: shown(value),
    source,
    isSecret: secret,
    needsRestart: restart,
    isChanged,
    ...(isChanged && lower !== undefined ? { default: shown(lower) } : {}),
    ...(written === undefined ? {} : { written }),
  };
}

function fits({ path, value, source, written = '' }: EffectiveValue, words: readonly string[]): boolean {
  const text = `${path} ${value} ${source} ${written}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
