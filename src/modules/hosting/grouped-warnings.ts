import { listNames } from '../../framework';

/** Locations listed in a warning; the rest are counted. */
const MAX_LISTED = 3;

/** Warnings about many places that have the same text: one for each text, with its places. */
export class GroupedWarnings {
  /** The locations by text. */
  readonly #locations = new Map<string, Set<string>>();

  add(text: string, location: string): void {
    const known = this.#locations.get(text) ?? new Set();
    this.#locations.set(text, known.add(location));
  }

  get all(): readonly string[] {
    return [...this.#locations].map(([text, locations]) => `${describeLocations(locations)}: ${text}`);
  }
}

/** Describes locations for a warning: the first few, and the number of others. */
export function describeLocations(locations: ReadonlySet<string>): string {
  return listNames([...locations], MAX_LISTED);
}
