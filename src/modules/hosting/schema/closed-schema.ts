import type { TSchema } from '@sinclair/typebox';
import { COMPOSITIONS, isSchema, type SchemaNode } from '../../../framework';
import { DerivedDefinitions } from './derived-definitions';

/**
 * Derives a schema whose objects allow no undeclared members: nested, in lists, through references to definitions,
 * and where null is an alternative. Objects that already restrict other members, and those composed of several
 * schemas, are unchanged: what one part does not declare, another may.
 * @returns the same object if nothing changes
 */
export function closedSchema<S extends TSchema>(schema: S): S {
  const derived = new DerivedDefinitions(schema, 'Closed', closeNode);
  // The result differs only in what it says about undeclared members.
  return derived.complete(closeNode(schema, derived) as S);
}

function closeNode(schema: SchemaNode, derived: DerivedDefinitions): SchemaNode {
  const { properties, items, $ref: reference } = schema;
  const inner: Record<string, unknown> = {};
  if (isSchema(properties)) {
    inner.properties = closeMembers(properties, derived);
    const others = CONTRIBUTING.some((keyword) => keyword in schema)
      ? 'unevaluatedProperties'
      : 'additionalProperties';
    if (!OPEN.some((keyword) => keyword in schema)) inner[others] = false;
  }
  if (isSchema(items)) inner.items = closeNode(items, derived);
  if (typeof reference === 'string' && !isSchema(properties)) inner.$ref = derived.reference(reference);
  const [open = '', ...more] = [...OPEN, '$ref'].filter((keyword) => keyword in schema);
  if (CHOICES.includes(open) && more.length === 0 && !isSchema(properties))
    inner[open] = closeNullable(schema[open], derived);
  const isUnchanged = Object.entries(inner).every(([keyword, value]) => schema[keyword] === value);
  return isUnchanged ? schema : { ...schema, ...inner };
}

/** Closes the only branch other than null; returns the list unchanged if there are several. */
function closeNullable(branches: unknown, derived: DerivedDefinitions): unknown {
  if (!Array.isArray(branches)) return branches;
  const isNull = (branch: unknown): boolean => isSchema(branch) && branch.type === 'null';
  if (branches.filter((branch) => !isNull(branch)).length !== 1) return branches;
  const parts = branches.map((one: unknown) => (isSchema(one) ? closeNode(one, derived) : one));
  return parts.every((part, at) => part === branches[at]) ? branches : parts;
}

function closeMembers(properties: SchemaNode, derived: DerivedDefinitions): SchemaNode {
  const members = Object.entries(properties).map(([name, member]): [string, unknown] => [
    name,
    isSchema(member) ? closeNode(member, derived) : member,
  ]);
  return members.every(([name, member]) => properties[name] === member)
    ? properties
    : Object.fromEntries(members);
}

/** Keywords of which one branch must match. */
const CHOICES = ['anyOf', 'oneOf'];

/** Keywords that restrict other members, or by which other schemas contribute members. */
const OPEN = ['additionalProperties', 'patternProperties', 'unevaluatedProperties', ...COMPOSITIONS];

/** Keywords next to `properties` by which other schemas may contribute members. */
const CONTRIBUTING = ['$ref', 'if', 'dependentSchemas'];
