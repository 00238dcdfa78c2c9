import type { JsonSchema } from '../../documentation';
import { PROBLEM, PROBLEM_SCHEMA } from './problem';
import { allSubschemas, isSchema, mapSubschemas } from './subschemas';

/** Keywords that make a schema worth a name; a bare `{ "type": "string" }` is clearer where it stands. */
const STRUCTURE: readonly string[] = [
  'properties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  '$defs',
  '$id',
  '$ref',
];

/** Keywords that lose their meaning, or change it, inside a document with components. */
const DROPPED: readonly string[] = ['$schema', '$id', '$anchor', '$defs', 'definitions'];

/** Where the references of one schema lead: what was written, and the component that it means. */
type Scope = ReadonlyMap<string, string>;

/**
 * The component schemas of one document. Equal schemas share a component; definitions and schemas with an
 * `$id` (as TypeBox writes recursive types) become components of their own, because most tools resolve no
 * reference but `#/components/schemas/…`.
 */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>([[PROBLEM, PROBLEM_SCHEMA]]);
  readonly #names = new Map<string, string>();

  /** Makes a component of a schema that has structure and is not one yet. */
  add(schema: JsonSchema, name: string): void {
    const text = JSON.stringify(schema);
    if (this.#names.has(text) || !STRUCTURE.some((keyword) => keyword in schema)) return;
    const own = this.#reserve(name);
    const scope = new Map([['#', own]]);
    const hoisted: [string, JsonSchema][] = [[own, schema]];
    for (const [key, definition] of Object.entries({ ...definitionsOf(schema) })) {
      const hoistedName = this.#reserve(`${name}_${key.replace(/^.*\//, '')}`);
      scope.set(key, hoistedName);
      hoisted.push([hoistedName, definition]);
      if (typeof definition.$id === 'string') scope.set(definition.$id, hoistedName);
    }
    if (typeof schema.$id === 'string') scope.set(schema.$id, own);
    for (const inner of allSubschemas(schema)) {
      const id = inner.$id;
      if (typeof id !== 'string' || scope.has(id)) continue;
      const hoistedName = this.#reserve(`${name}_${id}`);
      scope.set(id, hoistedName);
      hoisted.push([hoistedName, inner]);
    }
    this.#names.set(text, own);
    for (const [component, content] of hoisted) this.#schemas.set(component, this.#content(content, scope));
  }

  /** A reference to a schema's component, or the schema itself where it has none. */
  reference(schema: JsonSchema): JsonSchema {
    const name = this.#names.get(JSON.stringify(schema));
    return name === undefined ? schema : referenceTo(name);
  }

  /** The component schemas by name. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  #reserve(wanted: string): string {
    const name = wanted.replace(/[^\w.-]/g, '_');
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}_${count}`;
      if (this.#schemas.has(candidate)) continue;
      this.#schemas.set(candidate, {});
      return candidate;
    }
  }

  #content(schema: JsonSchema, scope: Scope): JsonSchema {
    const kept = Object.entries(schema).filter(([keyword]) => !DROPPED.includes(keyword));
    const { $ref: reference, ...beside } = mapSubschemas(Object.fromEntries(kept), (inner) =>
      this.#inside(inner, scope),
    );
    // A reference to something outside would make every reader of the document fetch it.
    const target = typeof reference === 'string' ? targetOf(reference, scope) : undefined;
    return target === undefined ? beside : { $ref: target, ...beside };
  }

  #inside(schema: JsonSchema, scope: Scope): JsonSchema {
    const id = schema.$id;
    const hoisted = typeof id === 'string' ? scope.get(id) : undefined;
    if (hoisted !== undefined) return referenceTo(hoisted);
    const text = JSON.stringify(schema);
    // What a reference means depends on the schema around it, so equal text is not an equal schema.
    const known = text.includes('"$ref"') ? undefined : this.#names.get(text);
    return known === undefined ? this.#content(schema, scope) : referenceTo(known);
  }
}

function definitionsOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const found = ['$defs', 'definitions'].flatMap((keyword) => {
    const definitions = schema[keyword];
    return isSchema(definitions)
      ? Object.entries(definitions).map(([key, value]): [string, unknown] => [`#/${keyword}/${key}`, value])
      : [];
  });
  return Object.fromEntries(found.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])));
}

/** The longest known beginning of a reference; what follows it is a pointer within that component. */
function targetOf(reference: string, scope: Scope): string | undefined {
  const known = [...scope.keys()]
    .filter((key) => reference === key || reference.startsWith(`${key}/`))
    .sort((a, b) => b.length - a.length)[0];
  const name = known === undefined ? undefined : scope.get(known);
  if (known === undefined || name === undefined) return undefined;
  return `#/components/schemas/${name}${reference.slice(known.length)}`;
}

function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
