import { isDeepStrictEqual } from 'node:util';
import type { SectionSchemas } from '../json-schema/schema-tree';
import { check, type ConfigurationIssue } from './check';
import type { Layer } from './layers/layer';
import { withoutNulls } from './layers/merge';
import { partialSchema } from '../json-schema/partial-schema';
import type { Steps } from '../values/steps';
import type { SchemaNode } from '../json-schema/subschemas';
import { objectOf, isObject, type ConfigObject, type ConfigValue } from '../values/config-object';

interface IssueOptions {
  /** Whether every layer could be read: otherwise missing values may be in an unreadable one. */
  readonly isComplete: boolean;
  /** Modules that are not loaded, by their sections. */
  readonly unloaded?: ReadonlyMap<string, string> | undefined;
}

/** Lists the issues of each layer, also of values that a higher layer overrides, and of the merged configuration. */
export function* configurationIssues(
  tree: ConfigObject,
  schemas: SectionSchemas,
  layers: readonly Layer[],
  { isComplete, unloaded = new Map() }: IssueOptions,
): Steps<readonly string[]> {
  const ofTree = new Map<string, readonly ConfigurationIssue[]>();
  for (const [key, schema] of schemas) {
    const value = isComplete ? tree[key] : undefined;
    ofTree.set(key, value === undefined ? [] : check(value, schema, layers, [key]));
    yield;
  }
  const ofLayers: ConfigurationIssue[] = [];
  for (const layer of layers) {
    for (const issue of unknownSections(layer, schemas, unloaded)) ofLayers.push(issue);
    for (const [key, schema] of schemas) {
      const value = layer.tree[key];
      // Effective values were checked with the merged configuration.
      const mustCheck = !isComplete || ofTree.get(key)?.length !== 0 || isOverridden(value, tree[key]);
      if (value === undefined || value === null || !mustCheck) continue;
      // Scripts may modify their trees later; those of text files are never modified.
      const given = withoutNulls(value, layer.positions !== undefined);
      for (const issue of check(given, partialOf(schema), [layer], [key])) ofLayers.push(issue);
      yield;
    }
  }
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
function unknownSections(
  layer: Layer,
  schemas: SectionSchemas,
  unloaded: ReadonlyMap<string, string>,
): readonly ConfigurationIssue[] {
  if (Object.keys(layer.tree).every((key) => schemas.has(key))) return [];
  const properties = Object.fromEntries([...schemas.keys()].map((key) => [key, {}]));
  return check(layer.tree, { properties, additionalProperties: false }, [layer]).map((issue) => {
    const key = String(issue.path[0]);
    const owner = unloaded.get(key);
    if (owner === undefined) return issue;
    const list = layer.source.startsWith('config/') ? ' in config/application.json' : '';
    const reason = `is a section of the built-in module "${owner}", which is not loaded. Add "${owner}" to "modules"${list}.`;
    return { ...issue, message: `${placeOf(layer, key)}: ${reason}` };
  });
}

/** `config/autoload/local.json:3:5: server` */
function placeOf({ source, locate }: Layer, key: string): string {
  return `${source}${locate === undefined ? '' : `:${locate([key])}`}: ${key}`;
}

/** Returns whether a higher layer overrides a value. */
function isOverridden(value: ConfigValue | undefined, effective: ConfigValue | undefined): boolean {
  if (value === undefined || value === null || value === effective) return false;
  if (isObject(value)) {
    const members = objectOf(effective);
    return Object.entries(value).some(([key, member]) => isOverridden(member, members[key]));
  }
  // An additive list has the members of other layers, too.
  return !isDeepStrictEqual(value, effective) && !isSubset(value, effective);
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

/** Reports sections with required keys that are removed by null. */
function removedSections(
  tree: ConfigObject,
  schemas: SectionSchemas,
  layers: readonly Layer[],
): readonly string[] {
  return [...schemas].flatMap(([key, schema]) => {
    const layer = [...layers].reverse().find((one) => one.tree[key] === null);
    if (tree[key] !== undefined || layer === undefined || check({}, schema, [], [key]).length === 0)
      return [];
    return [
      `${placeOf(layer, key)}: is null, which removes a required section. Delete this line, or set individual keys.`,
    ];
  });
}
