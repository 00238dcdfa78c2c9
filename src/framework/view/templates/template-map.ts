import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '../../errors/configuration-error';

/** Template names and the absolute paths of their files. */
export class TemplateMap {
  readonly #files: ReadonlyMap<string, string>;

  /**
   * @param entries name → file; relative to `root`
   * @param sourceOf returns where an entry is configured, for messages
   * @throws ConfigurationError if a file does not exist
   */
  constructor(entries: Readonly<Record<string, string>>, root: string, sourceOf: (name: string) => string) {
    this.#files = new Map(Object.entries(entries).map(([name, file]) => [name, path.resolve(root, file)]));
    for (const [name, file] of this.#files) {
      if (!existsSync(file)) {
        throw new ConfigurationError(
          `${sourceOf(name)}: the template "${name}" is mapped to ${file}, which does not exist.`,
        );
      }
    }
  }

  /** @throws RangeError for an unknown name */
  fileOf(name: string): string {
    const file = this.#files.get(name);
    if (file === undefined) {
      throw new RangeError(
        `view_manager.template_map has no template "${name}". Available: ${this.names.join(', ')}.`,
      );
    }
    return file;
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  get names(): readonly string[] {
    return [...this.#files.keys()];
  }
}
