import { isSchema, objectOf, type SchemaNode } from '../../../framework';
import type { MemberChanges } from './member-changes';

/** Returns whether members that a schema does not name change: any number of them. */
export function hasChangedUnnamed(
  { additionalProperties, unevaluatedProperties, patternProperties }: SchemaNode,
  changes: MemberChanges,
): boolean {
  const members = [
    additionalProperties,
    unevaluatedProperties,
    ...Object.values(objectOf(patternProperties)),
  ];
  return members.some((member) => changes.of(member) !== 'keep');
}

/**
 * Returns the keywords of members that a schema does not name, as far as they change; `false` for those that are
 * removed.
 * @param replaced the schema with rewritten subschemas
 */
export function changedUnnamed(schema: SchemaNode, replaced: SchemaNode, changes: MemberChanges): SchemaNode {
  const changed: Record<string, unknown> = {};
  const replacementOf = (member: unknown): unknown => {
    const change = isSchema(member) ? changes.of(member) : 'keep';
    if (change === 'remove') return false;
    return isSchema(change) ? change : undefined;
  };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const replacement = replacementOf(schema[keyword]);
    if (replacement !== undefined) changed[keyword] = replacement;
  }
  const { patternProperties: patterns } = schema;
  if (!isSchema(patterns)) return changed;
  const replacements = Object.entries(patterns)
    .map(([pattern, member]) => [pattern, replacementOf(member)] as const)
    .filter(([, replacement]) => replacement !== undefined);
  return replacements.length === 0
    ? changed
    : {
        ...changed,
        patternProperties: { ...objectOf(replaced.patternProperties), ...Object.fromEntries(replacements) },
      };
}
