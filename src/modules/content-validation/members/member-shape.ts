import { hasKeyword, isAnnotated, lazily, listOf, type SchemaNode } from '../../../framework';
import { declarationOf, type Declaring } from './declared-members';
import { describingByName, distinct, entriesOf, memberIn, otherMembersIn } from './describing-schemas';
import { NO_MEMBERS, type ObjectShape, type Shape } from './object-shape';

/**
 * Compiles what a schema declares.
 * @param keepsUnknown whether undeclared members are kept
 * @param part of the schema, whose references are resolved in the whole
 */
export function compileShape(schema: SchemaNode, keepsUnknown: boolean, part: SchemaNode = schema): Shape {
  return shapeCompiler(schema, keepsUnknown, 'writeOnly')(part);
}

/**
 * Returns a function that compiles what parts of a schema declare: definitions that they have in common once.
 * @param keepsUnknown as for {@link compileShape}
 * @param annotation of the members that are hidden
 */
export function shapeCompiler(
  schema: SchemaNode,
  keepsUnknown: boolean,
  annotation: HidingAnnotation,
): (part: SchemaNode) => Shape {
  const compiler = new ShapeCompiler(schema, keepsUnknown, annotation);
  return (part) => compiler.of(part);
}

/** `writeOnly` members are in no response, `readOnly` members in no request. */
type HidingAnnotation = 'readOnly' | 'writeOnly';

interface Draft extends ObjectShape {
  readonly members: Map<string, Shape>;
  names: readonly string[];
  shapes: readonly Shape[];
  patterns: ObjectShape['patterns'];
  hidesOthers: boolean;
  ofPatterns: ObjectShape['ofPatterns'];
  others: Shape | undefined;
  items: Shape | undefined;
  prefix: readonly Shape[];
  isList: boolean;
}

class ShapeCompiler {
  readonly #root: SchemaNode;
  readonly #keepsUnknown: boolean;
  readonly #annotation: HidingAnnotation;
  readonly #hasHidden: boolean;
  /** By the schemas that describe the value: recursive definitions end here. */
  readonly #known = new Map<string, Shape>();
  readonly #numbers = new Map<unknown, number>();

  constructor(root: SchemaNode, keepsUnknown: boolean, annotation: HidingAnnotation) {
    this.#root = root;
    this.#keepsUnknown = keepsUnknown;
    this.#annotation = annotation;
    this.#hasHidden = hasKeyword(root, annotation);
  }

  of(schema: unknown): Shape {
    const declaration = declarationOf(this.#root, schema);
    if (declaration === 'any') return 'any';
    if (declaration === 'none') return this.#keepsUnknown ? 'any' : NO_MEMBERS;
    return this.#ofAll(declaration);
  }

  #ofAll(declaration: readonly Declaring[]): Shape {
    const key = declaration
      .map((one) => `${one.isAlternative ? '?' : ''}${this.#numberOf(one.schema)}`)
      .sort()
      .join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const hiddenPatterns = [...this.#hiddenPatternsIn(declaration)];
    const draft: Draft = {
      members: new Map(),
      names: [],
      shapes: [],
      hidden: new Set(this.#hiddenIn(declaration, hiddenPatterns)),
      hiddenPatterns,
      patterns: [],
      hidesOthers: false,
      ofPatterns: () => 'any',
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

  *#hiddenIn(declaration: readonly Declaring[], patterns: readonly RegExp[]): Iterable<string> {
    const shown = lazily(() => this.#shownByBranches(declaration));
    for (const { schema, isAlternative } of declaration)
      for (const [name, member] of entriesOf(schema.properties))
        if (
          (this.#isHidden(member) && !(isAlternative && shown().has(name))) ||
          patterns.some((pattern) => pattern.test(name))
        )
          yield name;
  }

  /** The members that branches of a union have: a secret of another branch is hidden nevertheless. */
  #shownByBranches(declaration: readonly Declaring[]): ReadonlySet<string> {
    const branches = this.#annotation === 'writeOnly' ? [] : declaration.filter((one) => one.isAlternative);
    const members = branches.flatMap(({ schema }) => entriesOf(schema.properties));
    return new Set(members.flatMap(([name, member]) => (this.#isHidden(member) ? [] : [name])));
  }

  *#hiddenPatternsIn(declaration: readonly Declaring[]): Iterable<RegExp> {
    for (const { schema } of declaration)
      for (const [pattern, member] of entriesOf(schema.patternProperties))
        if (this.#isHidden(member)) yield new RegExp(pattern, 'u');
  }

  #isHidden(member: unknown): boolean {
    return this.#hasHidden && isAnnotated(this.#root, member, this.#annotation);
  }

  #fill(draft: Draft, all: readonly Declaring[]): void {
    const ofObjects = all.filter(({ schema }) => OF_OBJECTS.some((keyword) => schema[keyword] !== undefined));
    this.#fillMembers(draft, ofObjects);
    this.#fillPatterns(draft, ofObjects);
    draft.hidesOthers = ofObjects.some(({ schema }) => this.#isHidden(otherMembersIn(schema)));
    const others = this.#combined(ofObjects, otherMembersIn);
    const isClosed =
      ofObjects.length > 0 && !ofObjects.some(({ schema }) => otherMembersIn(schema) !== undefined);
    draft.others = isClosed ? (this.#keepsUnknown ? 'any' : undefined) : others;
    draft.isList = ofObjects.length === 0;
    this.#fillItems(
      draft,
      all.filter(({ schema }) => schema.items !== undefined || schema.prefixItems !== undefined),
    );
  }

  #fillMembers(draft: Draft, ofObjects: readonly Declaring[]): void {
    for (const [name, describing] of describingByName(ofObjects))
      draft.members.set(
        name,
        this.#combined(describing, (one) => memberIn(one, name)),
      );
    const sent = [...draft.members].filter(([name]) => !draft.hidden.has(name));
    draft.names = sent.map(([name]) => name);
    draft.shapes = sent.map(([, shape]) => shape);
  }

  #fillPatterns(draft: Draft, ofObjects: readonly Declaring[]): void {
    const patterns = ofObjects.flatMap(({ schema, isAlternative }) =>
      entriesOf(schema.patternProperties).map(([pattern, member]) => ({
        pattern: new RegExp(pattern, 'u'),
        part: { schema: member as SchemaNode, isAlternative },
      })),
    );
    draft.patterns = patterns.map(({ pattern, part }) => [pattern, this.of(part.schema)]);
    draft.ofPatterns = oncePerKey((positions) =>
      this.#combined(
        positions.flatMap((at) => patterns[at]?.part ?? []),
        (member) => member,
      ),
    );
  }

  #fillItems(draft: Draft, ofLists: readonly Declaring[]): void {
    if (ofLists.length > 0) draft.items = this.#combined(ofLists, ({ items }) => items);
    const longest = Math.max(0, ...ofLists.map(({ schema }) => listOf(schema.prefixItems).length));
    draft.prefix = Array.from({ length: longest }, (_, at) =>
      this.#combined(ofLists, (one) => listOf(one.prefixItems)[at] ?? one.items),
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
    const certain = distinct(parts.filter((one) => !one.isAlternative).map(({ found }) => found));
    const alternative = distinct(parts.filter((one) => one.isAlternative).map(({ found }) => found));
    return this.of({
      ...(certain.length === 0 ? {} : { allOf: certain }),
      ...(alternative.length === 0 ? {} : { anyOf: alternative }),
    });
  }
}

const OF_OBJECTS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];

/** Whether everything is sent. */
function isUnrestricted({ members, patterns, others, items = 'any', prefix, ...draft }: Draft): boolean {
  return (
    draft.hidden.size === 0 &&
    draft.hiddenPatterns.length === 0 &&
    !draft.hidesOthers &&
    others === 'any' &&
    items === 'any' &&
    [...members.values(), ...patterns.map(([, shape]) => shape), ...prefix].every((one) => one === 'any')
  );
}

/** Keeps the results of a function of positions. */
function oncePerKey(
  resultOf: (positions: readonly number[]) => Shape,
): (positions: readonly number[]) => Shape {
  const results = new Map<string, Shape>();
  return (positions) => {
    const key = positions.join();
    const result = results.get(key) ?? resultOf(positions);
    results.set(key, result);
    return result;
  };
}
