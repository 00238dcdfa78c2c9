import type { TSchema } from '@sinclair/typebox';
import {
  allSubschemas,
  hasKeyword,
  isSchema,
  lazily,
  listOf,
  mapDiscriminator,
  mapSubschemas,
  dereference,
  withDefinitions,
  type SchemaNode,
} from '../../../framework';
import { shapeCompiler } from '../../content-validation';
import { DerivedDefinitions } from '../schema/derived-definitions';
import { NestedDerivations } from '../schema/nested-derivations';
import { DefinitionVariants } from './definition-variants';
import { dependentRequired, fewestMembers, withoutOptional } from './dependent-required';
import { MemberChanges, membersOf, NO_NAMES, type MemberRewrite, type OptionalNames } from './member-changes';
import { prunedExamples } from './prune-examples';
import { changedUnnamed, hasChangedUnnamed } from './unnamed-members';

/**
 * Derives a schema with changed object members at every depth: in members, lists, unions and definitions. Returns
 * the same object if nothing changes.
 */
export function rewriteMembers<S extends TSchema>(schema: S, rewrite: MemberRewrite): S {
  const { annotation, fillsDefaults } = rewrite;
  const hasAnnotation = annotation !== undefined && hasKeyword(schema, annotation);
  if (!hasAnnotation && !(fillsDefaults && hasKeyword(schema, 'default'))) return schema;
  const canChange = (one: SchemaNode): boolean =>
    (annotation !== undefined && one[annotation] === true) || (fillsDefaults && one.default !== undefined);
  if (!allSubschemas(schema).some(canChange)) return schema;
  const rewriter = new Rewriter(schema, rewrite);
  // The result differs only in members and `required`.
  return rewriter.rewrite() as S;
}

/** Subschemas that only test a value, and definitions, which are rewritten when referenced. */
const UNTOUCHED = ['not', 'if', 'contains', 'propertyNames', '$defs', 'definitions'];

/** Keywords whose subschemas describe the same value conditionally. */
const CONDITIONAL = ['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas', 'dependencies'];

class Rewriter {
  readonly #root: SchemaNode;
  readonly #rewrite: MemberRewrite;
  readonly #changes: MemberChanges;
  readonly #definitions: DerivedDefinitions;
  /** For branches of unions, where validators fill in no defaults. */
  readonly #inUnions: DerivedDefinitions;
  readonly #variants: DefinitionVariants;
  readonly #variantsInUnions: DefinitionVariants;
  /** Compiles the definitions that many examples refer to once. */
  readonly #shapeOf = lazily(() => shapeCompiler(this.#root, true, this.#rewrite.annotation ?? 'writeOnly'));

  constructor(root: SchemaNode, rewrite: MemberRewrite) {
    this.#root = root;
    this.#rewrite = rewrite;
    this.#changes = new MemberChanges(root, rewrite);
    this.#variants = new DefinitionVariants(root, this.#changes, false);
    this.#variantsInUnions = new DefinitionVariants(root, this.#changes, true);
    const { suffix } = rewrite;
    const derivations = new NestedDerivations();
    const definitions = (added: string, inUnion: boolean): DerivedDefinitions =>
      new DerivedDefinitions(root, added, (one) => this.#part(one, NO_NAMES, inUnion), derivations);
    this.#definitions = definitions(suffix, false);
    this.#inUnions = definitions(`${suffix}Choice`, true);
  }

  rewrite(): SchemaNode {
    const rewritten = this.#part(this.#root, NO_NAMES, false);
    if (rewritten === this.#root || !isSchema(this.#root.$defs)) return rewritten;
    return withDefinitions(rewritten, { ...this.#definitions.all, ...this.#inUnions.all });
  }

  #part(schema: SchemaNode, around: OptionalNames, inUnion: boolean): SchemaNode {
    const { $ref: reference, required } = schema;
    if (typeof reference === 'string' && Object.keys(schema).length === 1)
      return this.#bareReference(schema, reference, around, inUnion);
    const optional = this.#changes.namesAround(schema, around, inUnion);
    const changed: string[] = [];
    const inner = mapSubschemas(schema, (one, ...[keyword = '']) => {
      if (UNTOUCHED.includes(String(keyword))) return one;
      const rewritten = this.#inner(one, String(keyword), optional, inUnion);
      if (rewritten !== one) changed.push(String(keyword));
      return rewritten;
    });
    const replaced = {
      ...inner,
      ...this.#discriminator(schema, inner, inUnion, changed),
      ...this.#examples(schema, optional, changed),
    };
    const found = typeof reference === 'string' ? this.#reference(reference, optional, inUnion) : undefined;
    const target = found === undefined ? reference : found.reference;
    const properties = this.#properties(schema, replaced);
    const unnamed = changedUnnamed(schema, replaced, this.#changes);
    const dependent = dependentRequired(schema, optional);
    const fewest = hasChangedUnnamed(schema, this.#changes) ? undefined : fewestMembers(schema, optional);
    const needed = this.#required(required, optional, found?.required ?? []);
    if (
      changed.length === 0 &&
      target === reference &&
      properties === replaced.properties &&
      Object.keys(unnamed).length === 0 &&
      dependent === schema.dependentRequired &&
      fewest === schema.minProperties &&
      needed === required
    )
      return schema;
    const { required: _, dependentRequired: __, minProperties: ___, ...kept } = replaced;
    return {
      ...kept,
      ...unnamed,
      ...(target === undefined ? {} : { $ref: target }),
      ...(properties === undefined ? {} : { properties }),
      ...(dependent === undefined ? {} : { dependentRequired: dependent }),
      ...(fewest === undefined ? {} : { minProperties: fewest }),
      ...(needed === undefined ? {} : { required: needed }),
    };
  }

  #bareReference(schema: SchemaNode, reference: string, around: OptionalNames, inUnion: boolean): SchemaNode {
    const { reference: target, required } = this.#reference(reference, around, inUnion);
    if (target === reference) return schema;
    return { $ref: target, ...(required.length === 0 ? {} : { required }) };
  }

  /**
   * Returns a reference to the rewritten definition, and what must be required next to it.
   * @param optional names that must not be required of the value by the definition either
   */
  #reference(
    reference: string,
    optional: OptionalNames,
    inUnion: boolean,
  ): { readonly reference: string; readonly required: readonly string[] } {
    const [derived, variants] = inUnion
      ? [this.#inUnions, this.#variantsInUnions]
      : [this.#definitions, this.#variants];
    const definition = derived.find(reference);
    if (definition === undefined) return { reference, required: [] };
    const { names, key, required } = variants.of(definition, optional);
    return {
      reference: derived.reference(reference, (one) => this.#part(one, names, inUnion), key),
      required,
    };
  }

  /**
   * Maps to the schemas that the branches of a union refer to.
   * @param replaced the schema with rewritten subschemas
   * @param changed gets the name of a changed keyword
   */
  #discriminator(schema: SchemaNode, replaced: SchemaNode, inUnion: boolean, changed: string[]): SchemaNode {
    const isUnion = schema.oneOf !== undefined || schema.anyOf !== undefined;
    const rewritten = referencesOf(replaced);
    const branches = new Map(referencesOf(schema).map((reference, at) => [reference, rewritten[at]]));
    const derived = isUnion || inUnion ? this.#inUnions : this.#definitions;
    return mapDiscriminator(schema, (to) => {
      const target = branches.get(to) ?? derived.reference(to);
      if (target !== to) changed.push('discriminator');
      return target;
    });
  }

  /** Removes the members from examples, too. @param changed gets the names of changed keywords */
  #examples(schema: SchemaNode, optional: OptionalNames, changed: string[]): SchemaNode {
    if (this.#rewrite.change !== 'remove') return {};
    const pruned = prunedExamples(schema, (one) => this.#shapeOf()(one), optional.changed);
    changed.push(...Object.keys(pruned));
    return pruned;
  }

  #inner(inner: SchemaNode, keyword: string, optional: OptionalNames, inUnion: boolean): SchemaNode {
    if (keyword === 'allOf') return this.#part(inner, optional, inUnion);
    return CONDITIONAL.includes(keyword)
      ? this.#part(inner, { ...NO_NAMES, changed: optional.changed }, true)
      : this.#part(inner, NO_NAMES, inUnion);
  }

  /** @param replaced the schema with rewritten subschemas */
  #properties(schema: SchemaNode, replaced: SchemaNode): unknown {
    if (!isSchema(replaced.properties)) return replaced.properties;
    const { properties } = replaced;
    const changed: string[] = [];
    const rewritten = membersOf(schema).flatMap(([name, member]): [string, unknown][] => {
      const resolved = dereference(this.#root, member);
      const change = this.#changes.ofNamed(schema, name, member);
      const now = properties[name];
      const isFilled = change === 'keep' && this.#rewrite.fillsDefaults && isSchema(now);
      // Validators read a default from the member itself, not through its reference.
      const own =
        isFilled && now.default === undefined && resolved.default !== undefined
          ? { ...now, default: resolved.default }
          : now;
      if (own === now && (change === 'keep' || change === 'optional')) return [[name, now]];
      changed.push(name);
      if (change === 'remove') return [];
      return [[name, isSchema(change) ? change : own]];
    });
    return changed.length === 0 ? properties : Object.fromEntries(rewritten);
  }

  /** @param inherited what a variant of the referenced definition does not require */
  #required(required: unknown, optional: OptionalNames, inherited: readonly string[]): unknown {
    if (!Array.isArray(required)) return inherited.length === 0 ? required : inherited;
    const left = withoutOptional(required, optional);
    if (left.length === required.length && inherited.length === 0) return required;
    const needed = [...new Set([...left, ...inherited])];
    return needed.length === 0 ? undefined : needed;
  }
}

/** Returns the references of the branches of a union; undefined for others. */
function referencesOf({ anyOf, oneOf }: SchemaNode): readonly (string | undefined)[] {
  return [...listOf(anyOf), ...listOf(oneOf)].map((branch) =>
    isSchema(branch) && typeof branch.$ref === 'string' ? branch.$ref : undefined,
  );
}
