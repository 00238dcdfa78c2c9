import { isDeepStrictEqual } from 'node:util';
import type { SectionSchemas } from '../json-schema/schema-tree';
import { check, type ConfigurationIssue } from './check';
import type { Layer } from './layers/layer';
import { partialSchema } from '../json-schema/partial-schema';
import type { SchemaNode } from '../json-schema/subschemas';
import { objectOf, isObject, type ConfigObject, type ConfigValue } from '../values/config-object';

/**
 * Lists the issues of each layer, also of values that a higher layer overrides, and of the merged configuration.
 *
 * @param isComplete whether every layer could be read: otherwise missing values may be in an unreadable one
 */
export function configurationIssues(
  tree: ConfigObject,
  schemas: SectionSchemas,
  layers: readonly Layer[],
  isComplete: boolean,
): readonly string[] {
  const ofTree = new Map(
    [...schemas].map(([key, schema]) => {
      const value = isComplete ? tree[key] : undefined;
      return [key, value === undefined ? [] : check(value, schema, layers, [key])];
    }),
  );
  const ofLayers = layers.flatMap((layer) => [
    ...unknownSections(layer, schemas),
    ...[...schemas].flatMap(([key, schema]) => {
      const value = layer.tree[key];
      // Effective values were checked with the merged configuration.
      const mustCheck = !isComplete || ofTree.get(key)?.length !== 0 || isOverridden(value, tree[key]);
      if (value === undefined || value === null || !mustCheck) return [];
      return check(withoutNulls(value), partialOf(schema), [layer], [key]);
    }),
  ]);
  const known = new Set(ofLayers.map(keyOf));
  const others = [...ofTree.values()].flat().filter((issue) => !known.has(keyOf(issue)));
  return [
    ...[...ofLayers, ...others].map(({ message }) => message),
    ...(isComplete ? removedSections(tree, schemas, layers) : []),
  ];
}

const partials = new WeakMap<SchemaNode, SchemaNode>();

/** Memoized per schema, like its compiled form. */
function partialOf(schema: SchemaNode): SchemaNode {
  const partial = partials.get(schema) ?? partialSchema(schema);
  partials.set(schema, partial);
  return partial;
}

/** Returns an issue for each unknown top-level key. */
function unknownSections(layer: Layer, schemas: SectionSchemas): readonly ConfigurationIssue[] {
  if (Object.keys(layer.tree).every((key) => schemas.has(key))) return [];
  const properties = Object.fromEntries([...schemas.keys()].map((key) => [key, {}]));
  return check(layer.tree, { properties, additionalProperties: false }, [layer]);
}

/** Returns whether a higher layer overrides a value. */
function isOverridden(value: ConfigValue | undefined, effective: ConfigValue | undefined): boolean {
  if (value === undefined || value === null || isDeepStrictEqual(value, effective)) return false;
  if (isObject(value)) {
    const members = objectOf(effective);
    return Object.entries(value).some(([key, member]) => isOverridden(member, members[key]));
  }
  // An additive list has the members of other layers, too.
  return !isSubset(value, effective);
}

function isSubset(value: ConfigValue, effective: ConfigValue | undefined): boolean {
  return Array.isArray(value) && Array.isArray(effective) && value.every((one) => effective.includes(one));
}

/**
 * Identifies an issue in a layer and in the merged configuration, where members of additive lists have other
 * positions.
 */
function keyOf({ path, keyword }: ConfigurationIssue): string {
  return JSON.stringify([path.filter((key) => typeof key === 'string'), keyword]);
}

/** A null in a layer removes a key: it is not a value. */
function withoutNulls(value: ConfigValue): ConfigValue {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Reports sections with required keys that are removed by null. */
function removedSections(
  tree: ConfigObject,
  schemas: SectionSchemas,
  layers: readonly Layer[],
): readonly string[] {
  return [...schemas].flatMap(([key, schema]) => {
    const layer = [...layers].reverse().find((one) => one.tree[key] === null);
    if (tree[key] !== undefined || layer === undefined || check({}, schema, []).length === 0) return [];
    const position = layer.locate === undefined ? '' : `:${layer.locate([key])}`;
    return [
      `${layer.source}${position}: ${key}: is null, which removes a required section. Delete this line, or set individual keys.`,
    ];
  });
}
