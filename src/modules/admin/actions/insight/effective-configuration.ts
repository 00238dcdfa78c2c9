import {
  formatKeyPath,
  valueAt,
  type Configuration,
  type ConfigValue,
  type ExplainedValue,
} from '../../../../framework';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { MASK } from '../../changes/difference';

/** An effective configuration value. */
export interface EffectiveValue {
  /** The key path, as displayed. */
  readonly path: string;
  /** The key path below its section. */
  readonly key: string;
  /** As JSON; masked if secret. */
  readonly value: string;
  /** The file with line and column, the module, or the environment. */
  readonly source: string;
  readonly isSecret: boolean;
  /** Whether a change requires a restart. */
  readonly needsRestart: boolean;
  /** Whether a file or the environment overrides the modules' defaults. */
  readonly isChanged: boolean;
  /** The default as JSON; undefined if there is none. */
  readonly default?: string;
  /** The text in the file, if it refers to environment variables. */
  readonly written?: string;
}

/** The values of one top-level key. */
export interface ConfigurationSection {
  readonly key: string;
  readonly description: string | undefined;
  readonly values: readonly EffectiveValue[];
}

export interface ConfigurationSearch {
  /** Words that the path, value or source must all contain. */
  readonly text?: string;
  readonly onlyChanged?: boolean;
}

const DEFAULTS = 'the defaults of ';

/** Lists the effective configuration. */
export class EffectiveConfiguration {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Returns the values that contain every word of a text, in the order of their sections. */
  list(text = ''): readonly EffectiveValue[] {
    return this.sections({ text }).flatMap(({ values }) => values);
  }

  /** Returns the matching values by section, sorted by key; empty sections are omitted. */
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
    path: formatKeyPath(path),
    key: path.length === 1 ? formatKeyPath(path) : formatKeyPath(path.slice(1)),
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
