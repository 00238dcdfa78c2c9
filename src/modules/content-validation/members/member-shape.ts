import { listOf, isSchema, dereference, type SchemaNode } from '../../../framework';
import { declarationOf, type Declaring } from './declared-members';

/** Which parts of a value are kept; `any` for all of it. */
export type Shape = 'any' | ObjectShape;

/** The declared members of an object, or items of an array. */
export interface ObjectShape {
  /** By name. */
  readonly members: ReadonlyMap<string, Shape>;
  /** The visible members in declaration order, which most objects follow. */
  readonly names: readonly string[];
  readonly shapes: readonly Shape[];
  /** Names that responses do not have (`writeOnly`). */
  readonly hidden: ReadonlySet<string>;
  readonly patterns: readonly (readonly [pattern: RegExp, shape: Shape])[];
  /** Shape of other members; undefined if they are not allowed. */
  readonly others: Shape | undefined;
  /** Shape of array items; undefined if no array is declared. */
  readonly items: Shape | undefined;
  readonly prefix: readonly Shape[];
  /** Whether only arrays are declared: an object in place of one is treated as an item. */
  readonly isList: boolean;
}

/** The shape of scalars. */
const NO_MEMBERS: ObjectShape = Object.freeze({
  members: new Map<string, Shape>(),
  names: [],
  shapes: [],
  hidden: new Set<string>(),
  patterns: [],
  others: undefined,
  items: undefined,
  prefix: [],
  isList: false,
});

/** Patterns that match every name, as TypeBox writes them. */
const EVERY_NAME = ['', '.*', '^.*$', '^(.*)$'];

/**
 * Compiles what a schema declares.
 * @param keepsUnknown whether undeclared members are kept
 * @param part of the schema, whose references are resolved in the whole
 */
export function compileShape(schema: SchemaNode, keepsUnknown: boolean, part: SchemaNode = schema): Shape {
  return new ShapeCompiler(schema, keepsUnknown).of(part);
}

interface Draft extends ObjectShape {
  readonly members: Map<string, Shape>;
  names: readonly string[];
  shapes: readonly Shape[];
  patterns: ObjectShape['patterns'];
  others: Shape | undefined;
  items: Shape | undefined;
  prefix: readonly Shape[];
  isList: boolean;
}

class ShapeCompiler {
  readonly #root: SchemaNode;
  readonly #keepsUnknown: boolean;
  /** By the schemas that describe the value: recursive definitions end here. */
  readonly #known = new Map<string, Shape>();
  readonly #numbers = new Map<unknown, number>();

  constructor(root: SchemaNode, keepsUnknown: boolean) {
    this.#root = root;
    this.#keepsUnknown = keepsUnknown;
  }

  of(schema: unknown): Shape {
    const declaration = declarationOf(this.#root, schema);
    if (declaration === 'any') return 'any';
    if (declaration === 'none') return this.#keepsUnknown ? 'any' : NO_MEMBERS;
    return this.#ofAll(withoutRepeated(declaration));
  }

  #ofAll(declaration: readonly Declaring[]): Shape {
    const key = declaration
      .map((one) => `${one.isAlternative ? '?' : ''}${this.#numberOf(one.schema)}`)
      .sort()
      .join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const draft: Draft = {
      members: new Map(),
      names: [],
      shapes: [],
      hidden: new Set(this.#hiddenIn(declaration)),
      patterns: [],
      others: undefined,
      items: undefined,
      prefix: [],
      isList: false,
    };
    this.#known.set(key, draft);
    this.#fill(draft, declaration);
    if (!isUnrestricted(draft)) return draft;
    // Nothing is ever removed.
    this.#known.set(key, 'any');
    return 'any';
  }

  #numberOf(schema: unknown): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }

  *#hiddenIn(declaration: readonly Declaring[]): Iterable<string> {
    for (const { schema } of declaration)
      for (const [name, member] of entriesOf(schema.properties))
        if (dereference(this.#root, member).writeOnly === true) yield name;
  }

  #fill(draft: Draft, all: readonly Declaring[]): void {
    const ofObjects = all.filter(({ schema }) => OF_OBJECTS.some((keyword) => schema[keyword] !== undefined));
    const names = new Set(
      ofObjects.flatMap(({ schema }) => entriesOf(schema.properties).map(([name]) => name)),
    );
    for (const name of names)
      draft.members.set(
        name,
        this.#combined(ofObjects, (one) => memberIn(one, name)),
      );
    const sent = [...draft.members].filter(([name]) => !draft.hidden.has(name));
    draft.names = sent.map(([name]) => name);
    draft.shapes = sent.map(([, shape]) => shape);
    draft.patterns = ofObjects.flatMap(({ schema }) =>
      entriesOf(schema.patternProperties).map(
        ([pattern, member]) => [new RegExp(pattern, 'u'), this.of(member)] as const,
      ),
    );
    const others = this.#combined(ofObjects, otherMembersIn);
    const isClosed =
      ofObjects.length > 0 && !ofObjects.some(({ schema }) => otherMembersIn(schema) !== undefined);
    draft.others = isClosed ? (this.#keepsUnknown ? 'any' : undefined) : others;
    const lists = all.filter(({ schema }) => schema.items !== undefined || schema.prefixItems !== undefined);
    draft.isList = ofObjects.length === 0;
    if (lists.length > 0) draft.items = this.#combined(lists, ({ items }) => items);
    const longest = Math.max(0, ...lists.map(({ schema }) => listOf(schema.prefixItems).length));
    draft.prefix = Array.from({ length: longest }, (_, at) =>
      this.#combined(lists, (one) => listOf(one.prefixItems)[at] ?? one.items),
    );
  }

  /**
   * Combines the shapes that several schemas give to a part of a value. @param part returns undefined if a schema does
   * not describe the part
   */
  #combined(all: readonly Declaring[], part: (schema: SchemaNode) => unknown): Shape {
    const parts = all.flatMap(({ schema, isAlternative }) => {
      const found = part(schema);
      return found === undefined ? [] : [{ found, isAlternative }];
    });
    const [first] = parts;
    if (first === undefined) return 'any';
    if (parts.length === 1) return this.of(first.found);
    const certain = parts.filter(({ isAlternative }) => !isAlternative).map(({ found }) => found);
    const alternative = parts.filter(({ isAlternative }) => isAlternative).map(({ found }) => found);
    return this.of({
      ...(certain.length === 0 ? {} : { allOf: certain }),
      ...(alternative.length === 0 ? {} : { anyOf: alternative }),
    });
  }
}

/** The branches of a recursive union refer to it several times. */
function withoutRepeated(all: readonly Declaring[]): readonly Declaring[] {
  const bySchema = new Map<SchemaNode, Declaring>();
  for (const one of all) if (bySchema.get(one.schema)?.isAlternative !== false) bySchema.set(one.schema, one);
  return [...bySchema.values()];
}

const OF_OBJECTS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];

/** Whether everything is sent. */
function isUnrestricted({ members, hidden, patterns, others, items = 'any', prefix }: Draft): boolean {
  return (
    hidden.size === 0 &&
    others === 'any' &&
    items === 'any' &&
    [...members.values(), ...patterns.map(([, shape]) => shape), ...prefix].every((one) => one === 'any')
  );
}

/** Returns what a schema declares for a member by name, pattern, or for other members. */
function memberIn(schema: SchemaNode, name: string): unknown {
  const { properties } = schema;
  const own = isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matching = entriesOf(schema.patternProperties).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  );
  const [found, ...more] = [...own, ...matching.map(([, one]) => one)];
  if (found !== undefined) return more.length === 0 ? found : { allOf: [found, ...more] };
  const others = otherMembersIn(schema);
  return isSchema(others) ? others : undefined;
}

/** Returns what a schema declares for other members; undefined if they are not allowed. */
function otherMembersIn(schema: SchemaNode): unknown {
  const catchAll = entriesOf(schema.patternProperties).find(([pattern]) => EVERY_NAME.includes(pattern));
  const { additionalProperties: own, unevaluatedProperties: unevaluated } = schema;
  const declared = catchAll?.[1] ?? own ?? unevaluated;
  return declared === false ? undefined : declared;
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isSchema(value) ? Object.entries(value) : [];
}
