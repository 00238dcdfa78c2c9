import {
  listOf,
  objectOf,
  type JsonObject,
  isObject,
  memberAt,
  parseFragment,
  printable,
  inlineReferences,
  ConfigurationError,
} from '../../../framework';
import { childPointer, excerpt } from './json';
import { ELSEWHERE, ReferenceErrors, type ReferenceFailure } from './reference-errors';

/** Members that hold data, in which `$ref` is an ordinary name. */
const VALUES: readonly string[] = ['example', 'examples', 'default', 'enum', 'const'];

/** What the members of an object are called: by keywords, by names only, or by names and extensions (`x-`). */
type Members = 'keywords' | 'names' | 'names and extensions';

/** Objects whose members have names, also those above: a property may be called `default`. */
const NAMED: ReadonlyMap<string, Members> = new Map([
  ['properties', 'names'],
  ['patternProperties', 'names'],
  ['dependentSchemas', 'names'],
  ['dependencies', 'names'],
  ['$defs', 'names'],
  ['definitions', 'names'],
  ['headers', 'names'],
  ['content', 'names'],
  ['encoding', 'names'],
  ['links', 'names'],
  ['callbacks', 'names'],
  ['responses', 'names and extensions'],
]);

const COMPONENTS = '#/components';
const EXAMPLES = `${COMPONENTS}/examples/`;

/** Examples that are inlined into one example; their number can grow exponentially. */
const MAX_INLINED_EXAMPLES = 100;

/** Length of a chain of references. */
const MAX_REFERENCE_CHAIN = 200;

/** A component schema that extends another one by `allOf` (OpenAPI 3.1.1, 4.8.24.1). */
export interface Subtype {
  readonly name: string;
  readonly reference: string;
  readonly schema: JsonObject;
}

/** Resolves the `$ref`s of one document. External documents are never fetched. */
export class DocumentReferences {
  readonly #document: JsonObject;
  readonly #name: string;
  /** References that are known to resolve. */
  readonly #resolved = new Set<string>();

  /** References that were followed to their end, or to an error. */
  readonly #followed = new Set<string>();

  /** Objects and lists whose references are checked. */
  readonly #checked = new Set<object>();
  /** References whose targets are to be checked: not by recursion, as they can form a chain of thousands. */
  readonly #pending = new Set<string>();

  /** The component schemas whose `allOf` refers to a schema, by that schema. */
  readonly #subtypes = new Map<unknown, Subtype[]>();

  readonly #errors = new ReferenceErrors();

  /** JSON Pointers of the components that are not used, with such references. */
  readonly unresolvable: readonly string[];

  /** @throws ConfigurationError for references that are external, unresolvable or circular, in what is used */
  constructor(document: JsonObject, name: string) {
    this.#document = document;
    this.#name = name;
    const { components, ...used } = document;
    this.#findSubtypes(objectOf(objectOf(components).schemas));
    this.#check(used, '#');
    // The set grows during iteration; each reference is visited once.
    for (const reference of this.#pending) this.#check(this.at(reference), reference);
    this.#errors.assertNone();
    this.unresolvable = this.#unresolvableIn(objectOf(components));
  }

  /**
   * Returns the object, following references.
   * @throws ConfigurationError for a circular one, which can be among data: it is not checked before
   */
  resolve(value: unknown): JsonObject {
    const visited = new Set<string>();
    for (let target = value; ;) {
      const { $ref: reference } = objectOf(target);
      if (typeof reference !== 'string') return objectOf(target);
      if (visited.has(reference))
        throw new ConfigurationError(
          circular(`${printable(this.#name)}: the $ref "${excerpt(reference)}"`, [...visited, reference]),
        );
      visited.add(reference);
      target = this.at(reference);
    }
  }

  /** Returns the target of a reference, which may be a reference itself. */
  at(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    return memberAt(this.#document, parseFragment(reference));
  }

  /**
   * Inlines the `$ref`s of an example to other examples. A `$ref` in a value is an ordinary name (OpenAPI 3.1.1,
   * 4.8.19), but some documents use it like that. Other references, and those beyond the limit, remain.
   */
  inlineExamples(value: unknown): unknown {
    let remaining = MAX_INLINED_EXAMPLES;
    const inline = (one: unknown, ancestors: readonly string[]): unknown => {
      if (Array.isArray(one)) return one.map((item) => inline(item, ancestors));
      if (!isObject(one)) return one;
      const { $ref: reference } = one;
      if (typeof reference === 'string' && reference.startsWith(EXAMPLES) && !ancestors.includes(reference)) {
        const target = this.at(reference);
        remaining -= 1;
        if (isObject(target) && 'value' in target && remaining >= 0)
          return inline(target.value, [...ancestors, reference]);
      }
      return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, inline(member, ancestors)]));
    };
    return inline(value, []);
  }

  /** Returns the component schemas that extend a schema, directly or indirectly. */
  subtypesOf(schema: unknown): readonly Subtype[] {
    const found = new Set(this.#subtypes.get(schema));
    // The set grows during iteration; each subtype is visited once.
    for (const one of found) for (const next of this.#subtypes.get(one.schema) ?? []) found.add(next);
    return [...found].filter((one) => one.schema !== schema);
  }

  /** What a reference refers to, also through components that are references themselves. */
  #target(reference: string): unknown {
    let target = this.at(reference);
    for (let step = 0; step < MAX_REFERENCE_CHAIN && isObject(target); step += 1) {
      if (typeof target.$ref !== 'string') break;
      target = this.at(target.$ref);
    }
    return target;
  }

  #findSubtypes(schemas: JsonObject): void {
    for (const [name, schema] of Object.entries(schemas)) {
      if (!isObject(schema)) continue;
      const subtype = { name, reference: childPointer(`${COMPONENTS}/schemas`, name), schema };
      for (const { $ref: reference } of listOf(schema.allOf).map(objectOf)) {
        const parent = typeof reference === 'string' ? this.#target(reference) : undefined;
        if (parent === undefined) continue;
        const known = this.#subtypes.get(parent) ?? [];
        this.#subtypes.set(parent, known);
        known.push(subtype);
      }
    }
  }

  #unresolvableIn(components: JsonObject): readonly string[] {
    return Object.entries(components).flatMap(([kind, all]) =>
      isData(kind)
        ? []
        : Object.entries(objectOf(all)).flatMap(([name, component]) => {
            const pointer = childPointer(childPointer(COMPONENTS, kind), name);
            const before = this.#errors.added;
            this.#check(component, pointer);
            return this.#errors.added > before ? [pointer] : [];
          }),
    );
  }

  #check(value: unknown, pointer: string, members: Members = 'keywords'): void {
    if (typeof value !== 'object' || value === null || this.#checked.has(value)) return;
    this.#checked.add(value);
    const hasKeywords = members === 'keywords';
    if (hasKeywords && '$ref' in value && typeof value.$ref === 'string') {
      const error = this.#follow(value.$ref, pointer);
      if (error !== undefined) this.#errors.add(error);
      if (this.at(value.$ref) !== undefined) this.#pending.add(value.$ref);
    }
    if (hasKeywords && 'discriminator' in value) {
      this.#addMapped(objectOf(objectOf(value.discriminator).mapping));
      for (const { reference } of this.subtypesOf(value)) this.#pending.add(reference);
    }
    for (const [key, member] of Object.entries(value))
      if (!isData(key, members))
        this.#check(member, childPointer(pointer, key), hasKeywords ? NAMED.get(key) : 'keywords');
  }

  /** Schemas of a mapping are used without a reference; missing ones are reported elsewhere. */
  #addMapped(mapping: JsonObject): void {
    for (const to of Object.values(mapping))
      if (typeof to === 'string') this.#pending.add(mappedReference(to));
  }

  /** @returns undefined if the reference, and those that it leads to, can be followed */
  #follow(
    reference: string,
    pointer: string,
    visited: readonly string[] = [],
  ): ReferenceFailure | typeof ELSEWHERE | undefined {
    const where = `${printable(this.#name)}: the $ref "${excerpt(reference)}" at ${excerpt(pointer, 500)}`;
    const failure = (message: string, isExternal = false): ReferenceFailure => ({ message, isExternal });
    if (!reference.startsWith('#')) return failure(`${where} refers to another document.`, true);
    const target = this.at(reference);
    if (target === undefined) return failure(`${where} cannot be resolved.`);
    if (visited.includes(reference)) return failure(circular(where, [...visited, reference]));
    if (this.#resolved.has(reference)) return undefined;
    if (this.#followed.has(reference)) return ELSEWHERE;
    this.#followed.add(reference);
    if (visited.length > MAX_REFERENCE_CHAIN)
      return failure(`${where} is a chain of more than ${MAX_REFERENCE_CHAIN} references.`);
    for (const next of inlineReferences(target)) {
      const error = this.#follow(next, pointer, [...visited, reference]);
      // What is checked later names it with its own place, unless it follows from the references before.
      if (error !== undefined) return this.#followed.has(next) ? error : ELSEWHERE;
    }
    this.#resolved.add(reference);
    return undefined;
  }
}

function circular(where: string, references: readonly string[]): string {
  return `${where} is circular: ${printable(references.join(' → '))}.`;
}

/** Returns the reference of an entry in a discriminator's mapping: a reference, or a name (OpenAPI 3.1.1, 4.8.25). */
export function mappedReference(to: string): string {
  return to.startsWith('#') ? to : childPointer(`${COMPONENTS}/schemas`, to);
}

/** Whether a member holds data, in which `$ref` is an ordinary name, by its name. */
function isData(name: string, members: Members = 'keywords'): boolean {
  if (members === 'names') return false;
  return name.startsWith('x-') || (members === 'keywords' && VALUES.includes(name));
}
