import { excerpt } from './document/json';

/** JSON Pointers that a summary lists for one kind of warning; it counts the others. */
const MAX_NAMED_POINTERS = 3;

/** Characters shown of a JSON Pointer. */
const MAX_POINTER_LENGTH = 500;

/** Collects what an import ignored or changed: for each kind, the JSON Pointers of its occurrences. */
export class ImportWarnings {
  readonly #pointers = new Map<string, Set<string>>();

  add(what: string, pointer: string): void {
    const pointers = this.#pointers.get(what) ?? new Set();
    pointers.add(pointer);
    this.#pointers.set(what, pointers);
  }

  /** Adds specification extensions (OpenAPI 3.1.1, 4.9). @param of names the object, for the report */
  addExtensions(value: object, of: string, pointer: string): void {
    for (const name of Object.keys(value)) if (name.startsWith('x-')) this.add(`"${name}" of ${of}`, pointer);
  }

  /** Returns one line for each kind with its first JSON Pointers, safe to print on a console. */
  summary(): readonly string[] {
    return this.lines(MAX_NAMED_POINTERS);
  }

  /**
   * Returns one line for each kind, safe to print on a console.
   * @param maxPointers the JSON Pointers that a line lists; it counts the others
   */
  lines(maxPointers = Infinity): readonly string[] {
    return [...this.#pointers].map(([what, pointers]) => {
      const named = [...pointers]
        .slice(0, maxPointers)
        .map((pointer) => excerpt(pointer, MAX_POINTER_LENGTH))
        .join(', ');
      const rest = pointers.size > maxPointers ? ` and ${pointers.size - maxPointers} more` : '';
      return `${excerpt(what)}: ${named}${rest}`;
    });
  }
}
