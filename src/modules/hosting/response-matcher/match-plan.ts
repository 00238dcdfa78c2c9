import {
  dereference,
  hasKeyword,
  isAnnotated,
  isInherited,
  isSchema,
  listOf,
  resolveReference,
  type SchemaNode,
} from '../../../framework';
import { isAnnotation } from '../../content-validation';
import { restrictionOf, type Restriction } from './match-restrictions';

/** How the values of a schema are checked by generated code. */
export type MatchPlan =
  | {
      readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'null';
      readonly restrictions: readonly Restriction[];
    }
  | { readonly kind: 'nullable'; readonly value: MatchPlan }
  | { readonly kind: 'list'; readonly items: MatchPlan; readonly restrictions: readonly Restriction[] }
  | { readonly kind: 'object'; readonly members: readonly PlannedMember[] }
  /** What generated code does not cover. */
  | { readonly kind: 'other'; readonly schema: SchemaNode };

/** A member of an object, in declaration order. */
export interface PlannedMember {
  readonly name: string;
  readonly isRequired: boolean;
  readonly value: MatchPlan;
}

export interface PlannedResponse {
  readonly plan: MatchPlan;
  /** Whether every value that matches the plan and its restrictions is valid: nothing is left to a validator. */
  readonly isExact: boolean;
}

/** Objects of one response that generated code covers; it should remain small enough to be optimized. */
const MAX_OBJECTS = 32;

/** Levels of a response that generated code covers, in case a recursive schema is another object each time. */
const MAX_DEPTH = 16;

/** Members of an object: generated code adds a power of two for each, which numbers represent exactly up to there. */
const MAX_MEMBERS = 53;

/** Keywords that restrict nothing in responses, to which no defaults are added. */
const OTHER_ANNOTATIONS = ['default', '$defs', '$schema', '$id'];

/** Keywords that a validator checks for a value whose members are known, unless generated code does. */
const RESTRICTIONS = [
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'dependentRequired',
];

/** What the schema of each type may have besides. */
const COVERED: Readonly<Record<string, readonly string[] | undefined>> = {
  string: [],
  number: [],
  integer: [],
  boolean: [],
  null: [],
  array: ['items'],
  object: ['properties', 'required', 'additionalProperties'],
};

/** Members with a meaning of their own: those of HAL, and what every object has. */
const isSpecial = (name: string): boolean =>
  name === '_links' || name === '_embedded' || name === 'toJSON' || isInherited(name);

/** Plans how responses are checked. @param schema of a response, with all that the platform adds to it */
export function planResponse(schema: SchemaNode): PlannedResponse {
  const planner = new Planner(schema);
  const plan = planner.of(schema);
  return { plan, isExact: planner.isExact };
}

class Planner {
  isExact = true;
  readonly #root: SchemaNode;
  /** Whether it has members that are never sent. */
  readonly #hasHidden: boolean;
  /** The schemas that contain the current one: a recursive schema ends there. */
  readonly #path = new Set<SchemaNode>();
  #objects = 0;

  constructor(root: SchemaNode) {
    this.#root = root;
    this.#hasHidden = hasKeyword(root, 'writeOnly');
  }

  of(schema: unknown): MatchPlan {
    if (schema === false) this.isExact = false;
    if (!isSchema(schema)) return this.#other({});
    const node = dereference(this.#root, schema);
    if (this.#isMerged(schema) || this.#isResource(node)) this.isExact = false;
    if (this.#path.has(node) || this.#path.size >= MAX_DEPTH) return this.#other(schema);
    this.#path.add(node);
    const plan = this.#planOf(node) ?? this.#other(schema);
    this.#path.delete(node);
    return plan;
  }

  /** Whether keywords next to a reference, or to one that it leads to, restrict what the last schema allows: all apply. */
  #isMerged(schema: SchemaNode): boolean {
    const seen = new Set<SchemaNode>();
    let node: SchemaNode | undefined = schema;
    while (node !== undefined && typeof node.$ref === 'string' && !seen.has(node)) {
      const { $ref: reference, ...others } = node;
      if (!Object.keys(others).every(isIgnored)) return true;
      seen.add(node);
      node = resolveReference(this.#root, reference);
    }
    return false;
  }

  /** Whether references below it are to definitions of its own (JSON Schema 2020-12, Core, 8.2.1). */
  #isResource(node: SchemaNode): boolean {
    return node.$id !== undefined && node !== this.#root;
  }

  /** Returns undefined for a schema that generated code does not cover. */
  #planOf(node: SchemaNode): MatchPlan | undefined {
    const alternative = nonNullOf(node);
    if (alternative !== undefined) return { kind: 'nullable', value: this.of(alternative) };
    const { type } = node;
    const covered = typeof type === 'string' ? COVERED[type] : undefined;
    if (covered === undefined) return undefined;
    const restrictions: Restriction[] = [];
    for (const [keyword, limit] of Object.entries(node)) {
      if (keyword === 'type' || covered.includes(keyword) || isIgnored(keyword)) continue;
      if (!RESTRICTIONS.includes(keyword)) return undefined;
      const restriction = restrictionOf(type as string, keyword, limit);
      if (restriction === undefined) this.isExact = false;
      else restrictions.push(restriction);
    }
    if (type === 'array') return { kind: 'list', items: this.of(node.items ?? {}), restrictions };
    if (type === 'object') return this.#object(node);
    // Only scalar types are left.
    return { kind: type as 'string', restrictions };
  }

  #object({ properties, required, additionalProperties }: SchemaNode): MatchPlan | undefined {
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    if (!isSchema(properties) || isOpen || ++this.#objects > MAX_OBJECTS) return undefined;
    const names = Object.keys(properties);
    if (names.length === 0 || names.length > MAX_MEMBERS || names.some(isSpecial)) return undefined;
    const needed = listOf(required);
    if (needed.some((name) => !names.includes(String(name)))) this.isExact = false;
    const members = names.flatMap((name) => {
      const member = properties[name];
      // A member that is never sent is treated like an undeclared one.
      if (this.#hasHidden && isAnnotated(this.#root, member, 'writeOnly')) return [];
      return [{ name, isRequired: needed.includes(name), value: this.of(member) }];
    });
    return members.length === 0 ? undefined : { kind: 'object', members };
  }

  #other(schema: SchemaNode): MatchPlan {
    if (Object.keys(schema).some((keyword) => !isIgnored(keyword))) this.isExact = false;
    return { kind: 'other', schema };
  }
}

/** Whether a keyword restricts no response. */
function isIgnored(keyword: string): boolean {
  return isAnnotation(keyword) || OTHER_ANNOTATIONS.includes(keyword);
}

/** Returns the other schema of a value that may be null: `type: [T, 'null']`, or `anyOf` of a schema and null. */
function nonNullOf(node: SchemaNode): SchemaNode | undefined {
  const { type, anyOf, ...rest } = node;
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== 'null');
    const hasValues = rest.enum !== undefined || rest.const !== undefined;
    return anyOf === undefined && !hasValues && type.length === 2 && others.length === 1
      ? { ...rest, type: others[0] as string }
      : undefined;
  }
  const branches = listOf(anyOf);
  if (type !== undefined || branches.length !== 2 || !Object.keys(rest).every(isIgnored)) return undefined;
  const others = branches.filter((branch) => !isNull(branch));
  return others.length === 1 && isSchema(others[0]) ? others[0] : undefined;
}

function isNull(schema: unknown): boolean {
  return isSchema(schema) && schema.type === 'null' && Object.keys(schema).length === 1;
}
