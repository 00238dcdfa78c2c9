import { isDeepStrictEqual } from 'node:util';
import type { SectionSchemas } from './configuration';
import { check, type Fault } from './check';
import type { Layer } from './layer';
import { partialSchema } from './partial-schema';
import type { SchemaNode } from './subschemas';
import { isTree, type ConfigTree, type ConfigValue } from './tree';

/**
 * What is wrong with configuration: with each layer by itself, also where a higher one hides it, and with the
 * whole.
 *
 * @param isComplete whether every layer could be read: otherwise what is missing may be in one that could not
 */
export function faultsOf(
  tree: ConfigTree,
  schemas: SectionSchemas,
  layers: readonly Layer[],
  isComplete: boolean,
): readonly string[] {
  const ofWhole = new Map(
    [...schemas].map(([key, schema]) => {
      const value = isComplete ? tree[key] : undefined;
      return [key, value === undefined ? [] : check(value, schema, layers, [key])];
    }),
  );
  const ofLayers = layers.flatMap((layer) => [
    ...unknownSections(layer, schemas),
    ...[...schemas].flatMap(([key, schema]) => {
      const value = layer.tree[key];
      // What counts unchanged was checked with the whole.
      const isDue = !isComplete || ofWhole.get(key)?.length !== 0 || isHidden(value, tree[key]);
      if (value === undefined || value === null || !isDue) return [];
      return check(withoutNulls(value), partialOf(schema), [layer], [key]);
    }),
  ]);
  const known = new Set(ofLayers.map(keyOf));
  const others = [...ofWhole.values()].flat().filter((fault) => !known.has(keyOf(fault)));
  return [
    ...[...ofLayers, ...others].map(({ message }) => message),
    ...(isComplete ? takenAway(tree, schemas, layers) : []),
  ];
}

const partials = new WeakMap<SchemaNode, SchemaNode>();

/** Made once for a schema, as its compiled form is. */
function partialOf(schema: SchemaNode): SchemaNode {
  const partial = partials.get(schema) ?? partialSchema(schema);
  partials.set(schema, partial);
  return partial;
}

/** Top-level keys that nobody describes. */
function unknownSections(layer: Layer, schemas: SectionSchemas): readonly Fault[] {
  if (Object.keys(layer.tree).every((key) => schemas.has(key))) return [];
  const properties = Object.fromEntries([...schemas.keys()].map((key) => [key, {}]));
  return check(layer.tree, { properties, additionalProperties: false }, [layer]);
}

/** Whether a higher layer says something else than a value of a lower one. */
function isHidden(value: ConfigValue | undefined, effective: ConfigValue | undefined): boolean {
  if (value === undefined || value === null || isDeepStrictEqual(value, effective)) return false;
  if (isTree(value)) {
    const members = isTree(effective) ? effective : {};
    return Object.entries(value).some(([key, member]) => isHidden(member, members[key]));
  }
  // A list that adds up has the others' members too.
  return !isSubset(value, effective);
}

function isSubset(value: ConfigValue, effective: ConfigValue | undefined): boolean {
  return Array.isArray(value) && Array.isArray(effective) && value.every((one) => effective.includes(one));
}

/** The same fault of a layer and of the whole; members of lists that add up stand at other places there. */
function keyOf({ path, keyword }: Fault): string {
  return JSON.stringify([path.filter((key) => typeof key === 'string'), keyword]);
}

/** A null in a layer takes a key away: it is no value. */
function withoutNulls(value: ConfigValue): ConfigValue {
  if (!isTree(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Sections that a null has taken away though they hold keys that must be there. */
function takenAway(tree: ConfigTree, schemas: SectionSchemas, layers: readonly Layer[]): readonly string[] {
  return [...schemas].flatMap(([key, schema]) => {
    const layer = [...layers].reverse().find((one) => one.tree[key] === null);
    if (tree[key] !== undefined || layer === undefined || check({}, schema, []).length === 0) return [];
    const place = layer.locate === undefined ? '' : `:${layer.locate([key])}`;
    return [
      `${layer.source}${place}: ${key}: is null, which takes away a section that the service needs. Take this line out, or set single keys of it.`,
    ];
  });
}
