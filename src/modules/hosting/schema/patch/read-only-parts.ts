import { isAnnotated, isSchema, listOf, objectOf, type SchemaNode } from '../../../../framework';
import { declarationOf } from '../../../content-validation';
import type { DerivedDefinitions } from '../derived-definitions';

/** Levels of members that are written within each other; the others are definitions. */
const MAX_DEPTH = 32;

/** What is read-only in a value: all of it, nothing, or what is in its members. */
type Part = 'all' | 'nothing' | Members;

interface Members {
  /** In which keyword, or name within it, they are. */
  readonly parts: {
    readonly properties: ReadonlyMap<string, Part>;
    readonly patternProperties: ReadonlyMap<string, Part>;
    additionalProperties: Part;
    readonly prefixItems: readonly Part[];
    items: Part;
  };
  /** Those that have these in a member. */
  readonly within: Members[];
  hasReadOnly: boolean;
  /** The number of values that have these and are not members. */
  outermost: number;
  reference: string | undefined;
}

/** Finds what is read-only in values. What several schemas describe is read-only if it is in all of them. */
export class ReadOnlyParts {
  readonly #derived: DerivedDefinitions;
  /** By the schemas that declare them: definitions may be recursive, and many may refer to the same one. */
  readonly #known = new Map<string, Members>();
  readonly #numbers = new Map<SchemaNode, number>();
  /** Iterative: thousands of definitions, of which each refers to the next one, would overflow the stack. */
  readonly #unread: (() => void)[] = [];
  readonly #undefined: Members[] = [];

  /** @param derived resolves references, and gets the definitions of what is read-only at several places */
  constructor(derived: DerivedDefinitions) {
    this.#derived = derived;
  }

  isReadOnly(schema: unknown): boolean {
    return isAnnotated(this.#derived.root, schema, 'readOnly');
  }

  /**
   * Returns a schema that only has what is read-only in a value, at every depth; an empty one for nothing.
   * @param schemas those that may describe the value
   */
  of(schemas: readonly unknown[]): SchemaNode {
    const part = this.#partOf(schemas);
    if (typeof part !== 'string') part.outermost += 1;
    for (let read = this.#unread.pop(); read !== undefined; read = this.#unread.pop()) read();
    const schema = this.#schemaOf(part);
    for (let one = this.#undefined.pop(); one !== undefined; one = this.#undefined.pop())
      this.#derived.define(one.reference ?? '', this.#membersOf(one, 0));
    return schema;
  }

  #partOf(schemas: readonly unknown[]): Part {
    if (schemas.length === 0) return 'nothing';
    if (schemas.every((one) => this.isReadOnly(one))) return 'all';
    const found = schemas.map((one) => declarationOf(this.#derived.root, one));
    // One of them allows everything.
    if (found.includes('any')) return 'nothing';
    const declaring = schemasOf(found);
    if (declaring.length === 0) return 'nothing';
    const key = [...new Set(declaring.map((one) => this.#numberOf(one)))].sort((a, b) => a - b).join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const properties = new Map<string, Part>();
    const patternProperties = new Map<string, Part>();
    const prefixItems: Part[] = [];
    const own: Members = {
      parts: {
        properties,
        patternProperties,
        prefixItems,
        additionalProperties: 'nothing',
        items: 'nothing',
      },
      within: [],
      hasReadOnly: false,
      outermost: 0,
      reference: undefined,
    };
    this.#known.set(key, own);
    this.#unread.push(() => {
      const inner = (all: readonly unknown[]): Part => this.#within(own, all);
      for (const [name, all] of membersByName(declaring, 'properties')) properties.set(name, inner(all));
      for (const [name, all] of membersByName(declaring, 'patternProperties'))
        patternProperties.set(name, inner(all));
      own.parts.additionalProperties = inner(othersIn(declaring));
      const lists = declaring.map((one) => ({ first: listOf(one.prefixItems), items: one.items }));
      const longest = Math.max(...lists.map(({ first }) => first.length));
      for (let at = 0; at < longest; at++)
        prefixItems.push(inner(lists.map(({ first, items }) => first[at] ?? items).filter(isSchema)));
      own.parts.items = inner(lists.map(({ items }) => items).filter(isSchema));
    });
    return own;
  }

  /** @param outer the members of the value that has the member */
  #within(outer: Members, schemas: readonly unknown[]): Part {
    const part = this.#partOf(schemas);
    if (typeof part !== 'string') part.within.push(outer);
    if (part === 'all' || (part !== 'nothing' && part.hasReadOnly)) markReadOnly(outer);
    return part;
  }

  #numberOf(schema: SchemaNode): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }

  #schemaOf(part: Part, depth = 0): SchemaNode {
    if (part === 'all') return { readOnly: true };
    if (part === 'nothing' || !part.hasReadOnly) return {};
    const isOnce = part.within.length + part.outermost <= 1;
    if (part.reference === undefined && isOnce && depth < MAX_DEPTH) return this.#membersOf(part, depth);
    if (part.reference === undefined) {
      part.reference = this.#derived.newReference('ReadOnlyParts');
      this.#undefined.push(part);
    }
    return { $ref: part.reference };
  }

  #membersOf({ parts }: Members, depth: number): SchemaNode {
    const inner = (part: Part): SchemaNode => this.#schemaOf(part, depth + 1);
    const byName = (all: ReadonlyMap<string, Part>): SchemaNode =>
      Object.fromEntries([...all].map(([name, part]) => [name, inner(part)]));
    return {
      properties: byName(parts.properties),
      patternProperties: byName(parts.patternProperties),
      // Stated even if it is empty: without it, objects would be closed by `unknown_members`.
      additionalProperties: inner(parts.additionalProperties),
      ...(parts.prefixItems.length === 0 ? {} : { prefixItems: parts.prefixItems.map(inner) }),
      items: inner(parts.items),
    };
  }
}

/** Marks members, and all that have them within. */
function markReadOnly(members: Members): void {
  const open = [members];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.hasReadOnly) continue;
    one.hasReadOnly = true;
    for (const outer of one.within) open.push(outer);
  }
}

/** Returns the schemas that declare the members of a value. */
export function declaringIn(root: SchemaNode, schemas: readonly unknown[]): readonly SchemaNode[] {
  return schemasOf(schemas.map((one) => declarationOf(root, one)));
}

function schemasOf(declarations: readonly ReturnType<typeof declarationOf>[]): readonly SchemaNode[] {
  return declarations
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
