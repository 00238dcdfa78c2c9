import { allSubschemas, mapDiscriminator, parseFragment } from '../../../framework';
import type { JsonSchema } from '../../documentation';

/** Prefix of references to schemas that the operations of a version share. */
const SHARED = '#/schemas/';

/** The shared schemas of a converted document: one for each schema that a reference leads to. */
export class SharedNames {
  /** By reference of the document. */
  readonly #names = new Map<string, string>();
  /** References of the document by name. */
  readonly #targets = new Map<string, string>();

  /** The references of the document that have a shared schema. */
  references(): Iterable<string> {
    return this.#names.keys();
  }

  /** Returns the reference to the shared schema that a reference of the document becomes. */
  referenceTo(reference: string): string {
    return SHARED + this.#nameOf(reference);
  }

  /** Returns the reference of the document that a shared schema is from. */
  targetOf(name: string): string {
    return this.#targets.get(name) ?? '#';
  }

  #nameOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const last = (parseFragment(reference).at(-1) ?? '').replace(/[^\w.-]/g, '_');
    // An object cannot have a member of this name.
    const base = last === '__proto__' ? 'Schema' : last || 'Schema';
    let name = base;
    for (let count = 2; this.#targets.has(name); count += 1) name = `${base}_${count}`;
    this.#names.set(reference, name);
    this.#targets.set(name, reference);
    return name;
  }
}

/** Returns the name of a shared schema. @param reference to it */
export function sharedNameIn(reference: string): string {
  return reference.slice(SHARED.length);
}

/** Returns the names of the shared schemas that a schema refers to. */
export function sharedNamesIn(schema: JsonSchema): readonly string[] {
  return allSubschemas(schema).flatMap((one) => {
    const mapped: string[] = [];
    mapDiscriminator(one, (to) => mapped.push(sharedNameIn(to)));
    return typeof one.$ref === 'string' ? [sharedNameIn(one.$ref), ...mapped] : mapped;
  });
}
