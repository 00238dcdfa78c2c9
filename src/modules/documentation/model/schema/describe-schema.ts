import { isSchema } from '../../../../framework';
import type { JsonSchema } from '../data';
import { alternativeLabels, discriminatorOf } from './alternatives';
import { annotate } from './constants';
import { constraintsOf } from './constraints';
import type { SchemaDescription } from './description';
import { flagsOf } from './flags';
import { facetsOf, type Facets, type MemberFacet, type UnionFacet } from './facets';

/** Members and alternatives of one description; the schema has the others. */
const MAX_NODES = 300;

/** Options of a description. */
export interface DescribeOptions {
  /** The maximum number of members and alternatives. */
  readonly most?: number;
  /** Returns where a schema is described; undefined for one that is described inline. */
  readonly refer?: (schema: Pick<Facets, 'name' | 'parts'>) => SchemaReference | undefined;
}

/** The location of a description. */
export interface SchemaReference {
  readonly name: string;
  /** A fragment, e.g. `#schema-Pet`. */
  readonly link: string;
}

/**
 * Describes a JSON Schema (2020-12, TypeBox included) for readers. References are resolved within the schema; a schema
 * that encloses itself is named where it recurs. A large schema keeps its upper levels.
 *
 * @example
 * describeSchema({ type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } });
 */
export function describeSchema(schema: unknown, options: DescribeOptions = {}): SchemaDescription {
  return new Describer(isSchema(schema) ? schema : {}, options).describe(schema);
}

/** A description in progress. */
type Draft = { -readonly [Key in keyof SchemaDescription]: SchemaDescription[Key] };

/** The references to a schema: `=` for an alias, `+` for an addition to another schema. */
type Path = ReadonlySet<string>;

/** `#` is the schema itself. */
const ROOT: Path = new Set(['=#']);

/** Describes level by level, so that the upper levels are complete. */
class Describer {
  readonly #root: JsonSchema;
  readonly #refer: NonNullable<DescribeOptions['refer']>;
  readonly #open: (() => void)[] = [];
  #left: number;
  /** Items are free, because they add no line; endless nesting is not. */
  #items: number;

  constructor(root: JsonSchema, { most = MAX_NODES, refer = () => undefined }: DescribeOptions) {
    this.#root = root;
    this.#refer = refer;
    this.#left = most;
    this.#items = 4 * most;
  }

  describe(schema: unknown): SchemaDescription {
    const draft = this.#draft(schema, ROOT);
    // The loop visits appended work as well.
    for (const expand of this.#open) expand();
    return draft;
  }

  /** Starts the description of a schema; nested schemas are queued. */
  #draft(schema: unknown, path: Path, around?: ReadonlyMap<string, MemberFacet>): Draft {
    const facets = facetsOf(schema, this.#root, around);
    const keys = keysOf(facets);
    const isRecursive = keys.some((key) => path.has(key));
    const draft = startOf(facets, isRecursive, this.#refer(facets));
    if (isRecursive && !draft.isReference) draft.isCut = true;
    else if (!draft.isReference) {
      const inner = new Set([...path, ...keys]);
      this.#open.push(() => this.#expand(draft, facets, inner));
    }
    return draft;
  }

  #expand(draft: Draft, { parts, members, unions }: Facets, path: Path): void {
    const shown = [...members].slice(0, this.#take(members.size));
    draft.more = members.size - shown.length;
    draft.members = shown.map(([name, { isRequired, schemas }]) => ({
      name,
      isRequired,
      schema: this.#draft(together(schemas), path),
    }));
    this.#expandItems(draft, parts, path);
    this.#expandValues(draft, parts, path);
    draft.unions = unions.flatMap((union) => this.#union(draft, union, members, path));
  }

  #expandItems(draft: Draft, parts: readonly JsonSchema[], path: Path): void {
    const items = parts.flatMap((part) =>
      part.items === undefined || Array.isArray(part.items) ? [] : [part.items],
    );
    const places = placesOf(parts);
    const shown = places.slice(0, this.#take(places.length));
    if (shown.length < places.length) draft.isCut = true;
    draft.places = shown.map((place) => this.#draft(place, path));
    if (items.length === 0) return;
    this.#items -= 1;
    if (this.#items < 0) draft.isCut = true;
    else draft.items = this.#draft(together(items), path);
  }

  #expandValues(draft: Draft, parts: readonly JsonSchema[], path: Path): void {
    const values = parts.flatMap((part) => [
      ...(isSchema(part.patternProperties)
        ? Object.entries(part.patternProperties).map(([pattern, schema]): [string, unknown] => [
            ANY_NAME.test(pattern) ? '' : pattern,
            schema,
          ])
        : []),
      ...[part.additionalProperties, part.unevaluatedProperties].flatMap((schema): [string, unknown][] =>
        schema === undefined || schema === false ? [] : [['', schema]],
      ),
    ]);
    const shown = values.slice(0, this.#take(values.length));
    if (shown.length < values.length) draft.isCut = true;
    draft.values = shown.map(([pattern, schema]) => ({ pattern, schema: this.#draft(schema, path) }));
  }

  #union(
    draft: Draft,
    union: UnionFacet,
    members: ReadonlyMap<string, MemberFacet>,
    path: Path,
  ): SchemaDescription['unions'] {
    const branches = union.branches.slice(0, this.#take(union.branches.length));
    if (branches.length === 0) {
      draft.isCut = true;
      return [];
    }
    const facets = branches.map((branch) => facetsOf(branch, this.#root, members));
    const discriminator = discriminatorOf(union, facets);
    const labels = alternativeLabels(facets, discriminator, union.mapping);
    const alternatives = branches.map((branch, at) => ({
      label: labels[at] ?? '',
      schema: this.#draft(branch, path, members),
    }));
    return [{ kind: union.kind, discriminator, alternatives, more: union.branches.length - branches.length }];
  }

  /** Takes as many nodes as there are left. */
  #take(requested: number): number {
    const taken = Math.min(requested, this.#left);
    this.#left -= taken;
    return taken;
  }
}

/** The keys of a schema in a {@link Path}; TypeBox refers to recursive schemas by `$id`. */
function keysOf({ reference, references, parts }: Facets): readonly string[] {
  const id = parts[0]?.$id;
  const own = typeof id === 'string' ? [`=${id}`] : [];
  return reference === '' ? [...own, ...references.map((one) => `+${one}`)] : [`=${reference}`];
}

/** Returns the schema of each place of a list; those of several parts apply together. */
function placesOf(parts: readonly JsonSchema[]): readonly unknown[] {
  const lists = parts.flatMap(({ prefixItems }): readonly (readonly unknown[])[] =>
    Array.isArray(prefixItems) ? [prefixItems] : [],
  );
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, at) => together(lists.flatMap((list) => list.slice(at, at + 1))));
}

/** Patterns that match every name, such as those of TypeBox for records with string keys. */
export const ANY_NAME = /^\^?\(?\.\*\)?\$?$/;

/** Combines schemas that apply together. */
function together(schemas: readonly unknown[]): unknown {
  return schemas.length > 1 ? { allOf: schemas } : (schemas[0] ?? true);
}

function startOf(facets: Facets, isRecursive: boolean, reference: SchemaReference | undefined): Draft {
  const { parts, types, constants, isNullable, isNever, isCut } = facets;
  const name = reference?.name ?? facets.name;
  const isReference = reference !== undefined || (isRecursive && name !== '');
  const examples = parts.flatMap((part): readonly unknown[] =>
    Array.isArray(part.examples)
      ? (part.examples as unknown[])
      : part.example === undefined
        ? []
        : [part.example],
  );
  return {
    types,
    isNullable,
    isNever,
    name,
    isReference,
    link: reference?.link ?? '',
    description: descriptionOf(parts),
    flags: flagsOf(parts),
    constraints: isReference ? [] : annotate(constraintsOf(parts), constants),
    ...(examples.length === 0 ? {} : { example: examples[0] }),
    members: [],
    more: 0,
    isCut,
    values: [],
    isClosed: parts.some(
      (part) => part.additionalProperties === false || part.unevaluatedProperties === false,
    ),
    places: [],
    unions: [],
  };
}

function descriptionOf(parts: readonly JsonSchema[]): string {
  const texts = parts.map(({ description }) => description);
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}
