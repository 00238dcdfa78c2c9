import { allSubschemas, formatPointer, isSchema, parseFragment } from '../../../../framework';
import type { JsonSchema } from '../../../documentation';

/** Definitions by reference, which is not percent-encoded. The root has the key `#`, and its `$id`. */
export type Definitions = ReadonlyMap<string, JsonSchema>;

const WHOLE = '#';

/** References in JSON text; matches in examples are harmless. */
const REFERENCE = /"\$ref":("(?:[^"\\]|\\.)*")/g;

/**
 * Returns what a schema may refer to: itself, its definitions, and subschemas with an `$id` (recursive types of TypeBox).
 * @param text the schema as JSON
 */
export function definitionsOf(schema: JsonSchema, text: string): Definitions {
  const found = new Map<string, JsonSchema>([[WHOLE, schema]]);
  const add = (key: unknown, value: unknown): void => {
    if (typeof key === 'string' && isSchema(value) && !found.has(key)) found.set(key, value);
  };
  for (const keyword of ['$defs', 'definitions']) {
    const own = schema[keyword];
    for (const [key, value] of isSchema(own) ? Object.entries(own) : [])
      add(`#${formatPointer([keyword, key])}`, value);
  }
  add(schema.$id, schema);
  if (text.includes('"$id"')) for (const one of allSubschemas(schema)) add(one.$id, one);
  return found;
}

/** What a reference refers to. */
interface Located {
  readonly key: string;
  /** Keys of the subschema within it; none for the definition itself. */
  readonly below: readonly string[];
}

/** Returns the longest known beginning of a reference. */
export function locate(reference: string, keys: { has(key: string): boolean }): Located | undefined {
  if (reference !== WHOLE && !reference.startsWith('#/'))
    return keys.has(reference) ? { key: reference, below: [] } : undefined;
  const path = parseFragment(reference);
  for (let end = path.length; end >= 0; end -= 1) {
    const key = `#${formatPointer(path.slice(0, end))}`;
    if (keys.has(key)) return { key, below: path.slice(end) };
  }
  return undefined;
}

/** Identifies equal definitions of different schemas: by name, text, and all that they refer to. */
export class DefinitionIdentities {
  readonly #texts = new Map<string, { readonly number: number; readonly references: readonly string[] }>();

  /**
   * Returns equal texts for equal definitions; none for those that refer to the root, which differs each time.
   * @param shared components that they may refer to, by reference
   */
  of(
    definitions: Definitions,
    shared: ReadonlyMap<string, { readonly name: string }>,
  ): ReadonlyMap<string, string> {
    const whole = definitions.get(WHOLE);
    const known = new Map(
      [...definitions].flatMap(([key, schema]) =>
        schema === whole ? [] : [[key, this.#textOf(schema)] as const],
      ),
    );
    // Each is located once, not for each definition that leads to it.
    const targets = new Map(
      [...known].map(([key, { references }]) => [
        key,
        references.map((reference): { readonly key?: string | undefined; readonly component?: string } => {
          // Shared schemas were removed from the definitions, where only the root would be found.
          const other = shared.get(locate(reference, shared)?.key ?? '');
          return other === undefined
            ? { key: locate(reference, definitions)?.key }
            : { component: `component ${other.name}` };
        }),
      ]),
    );
    const identities = new Map<string, string>();
    for (const key of known.keys()) {
      const reached = new Set([key]);
      const others = new Set<string>();
      // The set grows during iteration; each name is visited once.
      for (const one of reached) {
        for (const { key: target, component } of targets.get(one) ?? []) {
          if (target !== undefined) reached.add(target);
          if (component !== undefined) others.add(component);
        }
      }
      const parts = [...reached].map((one) => `${one} ${known.get(one)?.number ?? WHOLE}`);
      if ([...reached].every((one) => known.has(one)))
        identities.set(key, [key, ...[...parts, ...others].sort()].join('\n'));
    }
    return identities;
  }

  #textOf(schema: JsonSchema): { readonly number: number; readonly references: readonly string[] } {
    const text = JSON.stringify(schema);
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const references = [...text.matchAll(REFERENCE)].map(([, quoted = '""']) => JSON.parse(quoted) as string);
    const made = { number: this.#texts.size, references: [...new Set(references)] };
    this.#texts.set(text, made);
    return made;
  }
}
