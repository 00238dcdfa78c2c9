import { excerpt } from './document/json';

/** JSON Pointers listed for one kind of warning; the others are counted. */
const MAX_NAMED_POINTERS = 3;

/** Characters shown of a JSON Pointer. */
const MAX_POINTER_LENGTH = 500;

/** Collects what an import could not keep: for each kind, the JSON Pointers of its occurrences. */
export class ImportWarnings {
  readonly #places = new Map<string, Set<string>>();

  add(what: string, pointer: string): void {
    const places = this.#places.get(what) ?? new Set();
    places.add(pointer);
    this.#places.set(what, places);
  }

  /** Adds specification extensions (OpenAPI 3.1.1, 4.9). @param of names the object, for the report */
  addExtensions(value: object, of: string, pointer: string): void {
    for (const name of Object.keys(value)) if (name.startsWith('x-')) this.add(`"${name}" of ${of}`, pointer);
  }

  /** Returns one line for each kind, safe to print on a console. */
  lines(): readonly string[] {
    return [...this.#places].map(([what, places]) => {
      const named = [...places]
        .slice(0, MAX_NAMED_POINTERS)
        .map((place) => excerpt(place, MAX_POINTER_LENGTH))
        .join(', ');
      const rest = places.size > MAX_NAMED_POINTERS ? ` and ${places.size - MAX_NAMED_POINTERS} more` : '';
      return `${excerpt(what)}: ${named}${rest}`;
    });
  }
}
