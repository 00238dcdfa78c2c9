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
    return [...this.#pointers].map(([what, pointers]) => {
      const named = [...pointers].slice(0, MAX_NAMED_POINTERS).map(shown).join(', ');
      const more = pointers.size - MAX_NAMED_POINTERS;
      return `${excerpt(what)}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
    });
  }

  /** Yields the lines of all kinds with all JSON Pointers in parts: a line may be longer than a string can be. */
  *report(): Generator<string> {
    for (const [what, pointers] of this.#pointers) {
      let before = `${excerpt(what)}: `;
      for (const pointer of pointers) {
        yield `${before}${shown(pointer)}`;
        before = ', ';
      }
      yield '\n';
    }
  }
}

function shown(pointer: string): string {
  return excerpt(pointer, MAX_POINTER_LENGTH);
}
