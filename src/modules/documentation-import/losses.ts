import { excerpt } from './excerpt';

/** Places that are named for one kind of loss; the rest are counted. */
const NAMED = 3;

/** Characters of a place that are shown: a pointer is of use only when it is whole. */
const LONGEST_PLACE = 500;

/** What an import could not take over: each kind with the places where it stood, as JSON Pointers. */
export class Losses {
  readonly #places = new Map<string, Set<string>>();

  note(what: string, pointer: string): void {
    const places = this.#places.get(what) ?? new Set();
    places.add(pointer);
    this.#places.set(what, places);
  }

  /** Members that somebody added to the words of OpenAPI (3.1.1, 4.9). @param of what, for the report */
  noteExtensions(value: object, of: string, pointer: string): void {
    for (const name of Object.keys(value))
      if (name.startsWith('x-')) this.note(`"${name}" of ${of}`, pointer);
  }

  /** A line for each kind, as it can be shown on a console. */
  lines(): readonly string[] {
    return [...this.#places].map(([what, places]) => {
      const named = [...places]
        .slice(0, NAMED)
        .map((place) => excerpt(place, LONGEST_PLACE))
        .join(', ');
      const rest = places.size > NAMED ? ` and ${places.size - NAMED} more` : '';
      return `${excerpt(what)}: ${named}${rest}`;
    });
  }
}
