import { printable, visitSubschemas, type SchemaNode } from '../../../framework';
import { misspeltName } from '../definition/checks/misspelt-name';
import { KEYWORDS } from './assert-schema';
import { describeLocations } from './schema-locations';

/**
 * Collects keywords that are clearly misspelt, which JSON Schema ignores. Others may be of a vocabulary, or of the document
 * that a schema was imported from.
 */
export class MisspeltKeywords {
  /** The locations of each, by keyword. */
  readonly #locations = new Map<string, Set<string>>();

  /** @param where location of the schema */
  search(schema: SchemaNode, where: string): void {
    visitSubschemas(schema, (one, keywords) => {
      for (const keyword of keywords) {
        if (KEYWORDS.has(keyword) || keyword.startsWith('x-')) continue;
        const meant = misspeltName(keyword, KEYWORDS);
        // A schema with both means both.
        if (meant === undefined || Object.hasOwn(one, meant)) continue;
        const known = this.#locations.get(keyword) ?? new Set();
        this.#locations.set(keyword, known.add(where));
      }
    });
  }

  /** A warning about each keyword. */
  get warnings(): readonly string[] {
    return [...this.#locations].map(
      ([keyword, locations]) =>
        `${describeLocations(locations)}: the keyword ${printable(JSON.stringify(keyword))} is unknown and has no effect. Did you mean "${misspeltName(keyword, KEYWORDS) ?? ''}"? Begin the names of other keywords with "x-".`,
    );
  }
}
