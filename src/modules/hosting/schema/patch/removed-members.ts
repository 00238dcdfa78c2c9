import { isSchema, objectOf, type SchemaNode } from '../../../../framework';

// An entity may change from one branch of a union to another: patches remove the members that the other one does not have.

/** The members of other branches that a patch may remove: their names, or all that the branch does not declare. */
export type Removed = readonly string[] | 'others';

/** Names that all branches of a union may list together: compiling more takes over a second. */
const MAX_LISTED = 2000;

const REMOVED = { type: 'null' };

const CLOSING_KEYWORDS = ['additionalProperties', 'unevaluatedProperties'];

/** Whether a branch allows no other members. */
export function isClosed(branch: unknown): boolean {
  return isSchema(branch) && CLOSING_KEYWORDS.some((keyword) => branch[keyword] === false);
}

/** Whether each branch can list the names of the others, which readers of its documentation see. @param branches their number */
export function canList(names: ReadonlySet<string>, branches: number): boolean {
  return names.size * branches <= MAX_LISTED;
}

/** Allows the removal of members in the patch of a closed branch. */
export function allowRemoved(patch: SchemaNode, removed: Removed): SchemaNode {
  if (removed === 'others') {
    const closing = CLOSING_KEYWORDS.filter((keyword) => patch[keyword] === false);
    return { ...patch, ...Object.fromEntries(closing.map((keyword) => [keyword, REMOVED])) };
  }
  if (removed.length === 0) return patch;
  const members = removed.map((name): [string, unknown] => [name, REMOVED]);
  return {
    ...patch,
    properties: Object.fromEntries([...Object.entries(objectOf(patch.properties)), ...members]),
  };
}

/**
 * Lists the names of a large union once, for all of its branches that have no other members: in each branch, they would be
 * as many as the branches, and the schema would grow with their square.
 * @param closed the schemas without other members of each branch, of which a value matches one; undefined for no such
 * @param patches their patches, which allow the removal of `others`
 */
export function withNamesOnce(
  closed: readonly (readonly SchemaNode[] | undefined)[],
  patches: readonly unknown[],
  names: ReadonlySet<string>,
): readonly unknown[] {
  const patterns = closed.flatMap((leaves = []) =>
    leaves.flatMap(({ patternProperties }) => Object.keys(objectOf(patternProperties))),
  );
  const anyOf = patches.filter((_, at) => closed[at] !== undefined);
  const others = patches.filter((_, at) => closed[at] === undefined);
  if (anyOf.length === 0) return others;
  const any = (all: Iterable<string>): SchemaNode => Object.fromEntries([...all].map((one) => [one, {}]));
  const known = {
    properties: any(names),
    ...(patterns.length === 0 ? {} : { patternProperties: any(patterns) }),
  };
  // Validators report the errors of the first part first.
  return [{ allOf: [{ ...known, additionalProperties: false }, { anyOf }] }, ...others];
}
