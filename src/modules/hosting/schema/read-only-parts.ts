import { isAnnotated, isSchema, objectOf, type SchemaNode } from '../../../framework';
import { declarationOf } from '../../content-validation';

/** Levels of members: thousands of definitions, of which each refers to the next one, would overflow the stack. */
const MAX_DEPTH = 32;

/** Finds what is read-only in values. What several schemas describe is read-only if it is in all of them. */
export class ReadOnlyParts {
  readonly #root: SchemaNode;
  /** By the schemas that declare the members: recursive definitions end here. */
  readonly #known = new Map<string, SchemaNode>();
  readonly #numbers = new Map<SchemaNode, number>();
  #depth = 0;

  /** @param root resolves references */
  constructor(root: SchemaNode) {
    this.#root = root;
  }

  isReadOnly(schema: unknown): boolean {
    return isAnnotated(this.#root, schema, 'readOnly');
  }

  /**
   * Returns a schema that only has what is read-only in a value, at every depth; an empty one for nothing.
   * @param schemas those that may describe the value
   */
  of(schemas: readonly unknown[]): SchemaNode {
    if (schemas.length === 0) return {};
    if (schemas.every((one) => this.isReadOnly(one))) return { readOnly: true };
    const declaring = declaringIn(this.#root, schemas);
    const key = [...new Set(declaring.map((one) => this.#numberOf(one)))].sort().join(' ');
    const known = this.#known.get(key) ?? {};
    if (this.#known.has(key) || this.#depth >= MAX_DEPTH) return known;
    this.#known.set(key, known);
    this.#depth += 1;
    const found = this.#within(declaring);
    this.#depth -= 1;
    this.#known.set(key, found);
    return found;
  }

  #numberOf(schema: SchemaNode): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }

  #within(declaring: readonly SchemaNode[]): SchemaNode {
    const parts = {
      properties: this.#byName(declaring, 'properties'),
      patternProperties: this.#byName(declaring, 'patternProperties'),
      // Stated even if it is empty: without it, objects would be closed by `unknown_members`.
      additionalProperties: this.of(othersIn(declaring)),
      items: this.of(declaring.map(({ items }) => items).filter(isSchema)),
    };
    const { properties, patternProperties, additionalProperties, items } = parts;
    const all = [
      additionalProperties,
      items,
      ...[properties, patternProperties].flatMap((one) => Object.values(one)),
    ];
    return all.some((one) => Object.keys(one).length > 0) ? parts : {};
  }

  #byName(
    declaring: readonly SchemaNode[],
    keyword: 'properties' | 'patternProperties',
  ): Readonly<Record<string, SchemaNode>> {
    return Object.fromEntries(
      [...membersByName(declaring, keyword)].map(([name, members]) => [name, this.of(members)]),
    );
  }
}

/** Returns the schemas that declare the members of a value. */
export function declaringIn(root: SchemaNode, schemas: readonly unknown[]): readonly SchemaNode[] {
  return schemas
    .map((one) => declarationOf(root, one))
    .flatMap((found) => (typeof found === 'string' ? [] : found))
    .map(({ schema }) => schema);
}

/** Returns the schemas of each member. */
export function membersByName(
  declaring: readonly SchemaNode[],
  keyword: 'properties' | 'patternProperties',
): ReadonlyMap<string, readonly unknown[]> {
  const byName = new Map<string, unknown[]>();
  for (const one of declaring)
    for (const [name, member] of Object.entries(objectOf(one[keyword])))
      byName.set(name, [...(byName.get(name) ?? []), member]);
  return byName;
}

/** Returns the schemas of members without a name. */
export function othersIn(declaring: readonly SchemaNode[]): readonly unknown[] {
  return declaring
    .flatMap((one) => [one.additionalProperties, one.unevaluatedProperties])
    .filter((others) => others !== undefined && others !== false);
}
