import {
  formatKeyPath,
  valueAt,
  type Configuration,
  type ConfigValue,
  type ExplainedValue,
} from '../../../../framework';
import { MASK } from '../../changes/comparison/difference';

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

const DEFAULTS = 'the defaults of ';

/** Whether a file or the environment overrides the modules' defaults. */
export function isChanged({ source }: ExplainedValue): boolean {
  return !source.startsWith(DEFAULTS);
}

function shownValue({ secret }: ExplainedValue, value: ConfigValue): string {
  return secret ? MASK : JSON.stringify(value);
}

/** Describes a value with its source and its default. */
export function toEffectiveValue(explained: ExplainedValue, { layers }: Configuration): EffectiveValue {
  const { path, value, source, secret, restart, written } = explained;
  const lower = isChanged(explained)
    ? layers
        .filter((layer) => layer.source.startsWith(DEFAULTS))
        .map(({ tree }) => valueAt(tree, path))
        .filter((one) => one !== undefined)
        .at(-1)
    : undefined;
  return {
    path: formatKeyPath(path),
    key: path.length === 1 ? formatKeyPath(path) : formatKeyPath(path.slice(1)),
    value: shownValue(explained, value),
    source,
    isSecret: secret,
    needsRestart: restart,
    isChanged: isChanged(explained),
    ...(lower === undefined ? {} : { default: shownValue(explained, lower) }),
    ...(written === undefined ? {} : { written }),
  };
}

/** Whether the path, value or source contains every word. @param words in lower case */
export function matchesWords(explained: ExplainedValue, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { path, value, source, written = '' } = explained;
  const text = `${formatKeyPath(path)} ${shownValue(explained, value)} ${source} ${written}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
