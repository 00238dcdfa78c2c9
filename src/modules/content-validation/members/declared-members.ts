import { listOf, isSchema, resolveReference, type SchemaNode } from '../../../framework';

/**
 * What schemas declare about the members of a value: `any` for no restriction, `none` if it is neither an object
 * nor an array, otherwise the declaring schemas.
 */
export type Declaration = 'any' | 'none' | readonly Declaring[];

/** A schema that declares object members or array items. */
export interface Declaring {
  readonly schema: SchemaNode;
  /** Whether it is an alternative, such as a branch of a union. */
  readonly isAlternative: boolean;
}

/** Keywords that declare members or items. */
const DECLARING_KEYWORDS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
];

/**
 * Finds the schemas that declare the members of a value, each once, through `$ref`, `allOf`, `anyOf`, `oneOf`, `if`, `then`,
 * `else` and `dependentSchemas`.
 * @param root document root, for references
 */
export function declarationOf(root: SchemaNode, schema: unknown): Declaration {
  return new DeclarationSearch(root).of(schema, false);
}

/** Searches each schema once: the number of paths doubles with each definition that refers twice to the next one. */
class DeclarationSearch {
  readonly #root: SchemaNode;
  /** What was found, separately for alternatives. */
  readonly #known = {
    certain: new Map<SchemaNode, Declaration>(),
    alternative: new Map<SchemaNode, Declaration>(),
  };

  constructor(root: SchemaNode) {
    this.#root = root;
  }

  of(schema: unknown, isAlternative: boolean): Declaration {
    if (schema === false) return 'none';
    if (!isSchema(schema)) return 'any';
    const known = isAlternative ? this.#known.alternative : this.#known.certain;
    const found = known.get(schema);
    if (found !== undefined) return found;
    // A schema that leads back to itself accepts no value, and is refused at the start.
    known.set(schema, 'any');
    const declaration = this.#search(schema, isAlternative);
    known.set(schema, declaration);
    return declaration;
  }

  #search(schema: SchemaNode, isAlternative: boolean): Declaration {
    const within = (part: unknown, isBranch: boolean): Declaration =>
      this.of(part, isAlternative || isBranch);
    const own: readonly Declaring[] = DECLARING_KEYWORDS.some((keyword) => schema[keyword] !== undefined)
      ? [{ schema, isAlternative }]
      : [];
    const target = typeof schema.$ref === 'string' ? resolveReference(this.#root, schema.$ref) : undefined;
    const parts = [...(target === undefined ? [] : [target]), ...listOf(schema.allOf)].map((one) =>
      within(one, false),
    );
    const certain = [...own, ...parts.flatMap(declaring)];
    const unions = [schema.anyOf, schema.oneOf].flatMap((list) =>
      Array.isArray(list) ? [listOf(list).map((branch) => within(branch, true))] : [],
    );
    // A branch without declarations leaves members to the surrounding schemas; without those, any member is allowed.
    if (certain.length === 0 && unions.some((branches) => branches.includes('any'))) return 'any';
    const conditional = [schema.if, schema.then, schema.else, ...valuesOf(schema.dependentSchemas)].map(
      (one) => (one === undefined ? 'any' : within(one, true)),
    );
    const all = [...certain, ...unions.flat().flatMap(declaring), ...conditional.flatMap(declaring)];
    if (all.length > 0) return withoutRepeated(all);
    const isNone = parts.includes('none') || unions.some((branches) => branches.length > 0);
    return isNone || hasNoMembers(schema) ? 'none' : 'any';
  }
}

/** A schema that always declares members is not an alternative, even if it is one elsewhere. */
function withoutRepeated(all: readonly Declaring[]): readonly Declaring[] {
  const bySchema = new Map<SchemaNode, Declaring>();
  for (const one of all) if (bySchema.get(one.schema)?.isAlternative !== false) bySchema.set(one.schema, one);
  return [...bySchema.values()];
}

function declaring(declaration: Declaration): readonly Declaring[] {
  return typeof declaration === 'string' ? [] : declaration;
}

/** Whether values are neither objects nor arrays. */
function hasNoMembers({ type, const: only, enum: allowed }: SchemaNode): boolean {
  if (type !== undefined) return ![type].flat().some((one) => one === 'object' || one === 'array');
  const values: readonly unknown[] = only === undefined ? listOf(allowed) : [only];
  return values.length > 0 && values.every((one) => typeof one !== 'object' || one === null);
}

function valuesOf(value: unknown): readonly unknown[] {
  return isSchema(value) ? Object.values(value) : [];
}
