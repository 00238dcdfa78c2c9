import { readFile, stat } from 'node:fs/promises';
import { systemErrorCode } from '../../../../framework';

/** A file that is parsed again when it has changed, so that edits by other programs take effect at once. */
export class ReloadedFile<T> {
  readonly path: string;
  readonly #parse: (text: string | undefined) => T;
  #known: { readonly state: string; readonly content: T } | undefined;

  /** @param parse gets undefined for a missing file */
  constructor(path: string, parse: (text: string | undefined) => T) {
    this.path = path;
    this.#parse = parse;
  }

  /** Returns the content: the same object while the file is unchanged. @throws the errors of the file system, of `parse` */
  async read(): Promise<T> {
    const state = await stateOf(this.path);
    if (this.#known?.state === state) return this.#known.content;
    this.#known = undefined;
    const content = this.#parse(state === MISSING ? undefined : await readFile(this.path, 'utf8'));
    this.#known = { state, content };
    return content;
  }

  /** Reads the file again next time, even if its size and times are the same. */
  forget(): void {
    this.#known = undefined;
  }
}

const MISSING = 'missing';

async function stateOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return MISSING;
    throw error;
  }
}
