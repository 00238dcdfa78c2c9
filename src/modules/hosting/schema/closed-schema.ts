import type { TSchema } from '@sinclair/typebox';
import { COMPOSITIONS, compilePattern, isSchema, objectOf, type SchemaNode } from '../../../framework';
import { DerivedDefinitions } from './derived-definitions';

/**
 * Derives a schema whose objects allow no undeclared members: nested, in lists, tuples and records, through references
 * to definitions, and where null is an alternative. Objects that already restrict other members, and those composed of
 * several schemas, are unchanged: what one part does not declare, another may.
 * @returns the same object if nothing changes
 */
export function closedSchema<S extends TSchema>(schema: S): S {
  const derived = new DerivedDefinitions(schema, 'Closed', closeNode);
  // The result differs only in what it says about undeclared members.
  return derived.complete(closeNode(schema, derived) as S);
}

function closeNode(schema: SchemaNode, derived: DerivedDefinitions): SchemaNode {
  const { properties, $ref: reference } = schema;
  const inner: Record<string, unknown> = closeMembers(schema, derived);
  if (isSchema(properties)) {
    const others = CONTRIBUTING.some((keyword) => keyword in schema)
      ? 'unevaluatedProperties'
      : 'additionalProperties';
    if (!OPEN.some((keyword) => keyword in schema)) inner[others] = false;
  }
  for (const keyword of OTHERS)
    if (isSchema(schema[keyword])) inner[keyword] = closeNode(schema[keyword], derived);
  if (Array.isArray(schema.prefixItems)) inner.prefixItems = closeList(schema.prefixItems, derived);
  if (typeof reference === 'string' && !isSchema(properties)) inner.$ref = derived.reference(reference);
  const [open = '', ...more] = [...OPEN, '$ref'].filter((keyword) => keyword in schema);
  if (CHOICES.includes(open) && more.length === 0 && !isSchema(properties))
    inner[open] = closeChoices(schema[open], derived);
  const isUnchanged = Object.entries(inner).every(([keyword, value]) => schema[keyword] === value);
  return isUnchanged ? schema : { ...schema, ...inner };
}

/** Closes branches that exclude each other by type; returns the list unchanged if several may be for the same objects. */
function closeChoices(branches: unknown, derived: DerivedDefinitions): unknown {
  if (!Array.isArray(branches)) return branches;
  const ofObjectsOrLists = branches.map(structuresOf).filter((types) => types?.length !== 0);
  const types = ofObjectsOrLists.flat();
  const areDistinct = !types.includes(undefined) && new Set(types).size === types.length;
  return ofObjectsOrLists.length === 1 || areDistinct ? closeList(branches, derived) : branches;
}

/** Returns which of objects and lists a schema is for; undefined if its type is unknown. */
function structuresOf(schema: unknown): readonly string[] | undefined {
  const type = isSchema(schema) ? schema.type : undefined;
  return type === undefined ? undefined : ['object', 'array'].filter((one) => [type].flat().includes(one));
}

function closeList(list: readonly unknown[], derived: DerivedDefinitions): readonly unknown[] {
  const closed = list.map((one) => (isSchema(one) ? closeNode(one, derived) : one));
  return closed.every((one, at) => one === list[at]) ? list : closed;
}

/** Closes members by name and by pattern; those of several schemas are unchanged. */
function closeMembers(
  { properties, patternProperties }: SchemaNode,
  derived: DerivedDefinitions,
): Record<string, unknown> {
  const patterns = Object.keys(objectOf(patternProperties)).map(compilePattern);
  // The validator reports an invalid one, with its place.
  if (patterns.includes(undefined)) return {};
  const isShared = (name: string): boolean => patterns.some((pattern) => pattern?.test(name) === true);
  const isAlone = patterns.length === 1 && !Object.keys(objectOf(properties)).some(isShared);
  return {
    ...(isSchema(properties) ? { properties: closeMap(properties, derived, (name) => !isShared(name)) } : {}),
    ...(isAlone ? { patternProperties: closeMap(objectOf(patternProperties), derived) } : {}),
  };
}

function closeMap(
  schemas: SchemaNode,
  derived: DerivedDefinitions,
  closes: (name: string) => boolean = () => true,
): SchemaNode {
  const members = Object.entries(schemas).map(([name, member]): [string, unknown] => [
    name,
    isSchema(member) && closes(name) ? closeNode(member, derived) : member,
  ]);
  return members.every(([name, member]) => schemas[name] === member) ? schemas : Object.fromEntries(members);
}

/** Keywords of which one branch must match. */
const CHOICES = ['anyOf', 'oneOf'];

/** Keywords that restrict other members, or by which other schemas contribute members. */
const OPEN = ['additionalProperties', 'patternProperties', 'unevaluatedProperties', ...COMPOSITIONS];

/** Keywords of the schema of what has no schema by name or position. */
const OTHERS = ['items', 'additionalProperties', 'unevaluatedProperties'];

/** Keywords next to `properties` by which other schemas may contribute members. */
const CONTRIBUTING = ['$ref', 'if', 'dependentSchemas'];
