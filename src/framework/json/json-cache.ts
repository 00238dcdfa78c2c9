import { parseJsonText, type JsonFile } from './json-file';

/** Cached texts per file: the active one, and that of a change under review. */
const MAX_TEXTS = 2;

/**
 * Caches parsed files by their text, so that a change of one configuration file does not parse the others again. Cached
 * values must not be modified.
 */
export class JsonCache {
  readonly #entries = new Map<string, readonly { readonly text: string; readonly file: JsonFile }[]>();

  /** @throws ConfigurationError as `parseJsonText` */
  parse(text: string, shown: string): JsonFile {
    const cached = this.#entries.get(shown) ?? [];
    const entry = cached.find((one) => one.text === text) ?? { text, file: parseJsonText(text, shown) };
    this.#entries.set(shown, [entry, ...cached.filter((one) => one !== entry)].slice(0, MAX_TEXTS));
    return entry.file;
  }
}
