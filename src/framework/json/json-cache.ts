import { parseJsonText, type JsonFile } from './json-file';

/** Texts cached per file: the active one, and that of a change under review. */
const MAX_TEXTS = 2;

/**
 * Keeps the parsed texts of files, for when the same text is read again: a change of one file of the configuration
 * then takes no time for the others. What is kept must not be changed.
 */
export class JsonCache {
  readonly #known = new Map<string, readonly { readonly text: string; readonly file: JsonFile }[]>();

  /** @throws ConfigurationError as `parseJsonText` */
  parse(text: string, shown: string): JsonFile {
    const known = this.#known.get(shown) ?? [];
    const same = known.find((one) => one.text === text) ?? { text, file: parseJsonText(text, shown) };
    this.#known.set(shown, [same, ...known.filter((one) => one !== same)].slice(0, MAX_TEXTS));
    return same.file;
  }
}
