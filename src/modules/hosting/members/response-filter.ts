import { Type, type TSchema } from '@sinclair/typebox';
import { isSchema, lazily } from '../../../framework';
import { compileShape } from './response-shape';
import { prune } from './prune';
import type { ResponseChecks } from '../responses/response-checks';
import { findUndeclaredMembers } from './undeclared-members';

/** How undeclared members of responses are treated. */
export type UnknownResponseMembers = 'drop' | 'keep' | 'refuse';

/** Removes from a result what is not sent; returns the same value if nothing is removed. */
export type ResponseFilter = (result: unknown) => unknown;

interface FilteredResponse {
  /** Operation name, for messages. */
  readonly name: string;
  readonly schema: TSchema;
  /** Members that the platform adds to the response. */
  readonly added: readonly string[];
  readonly unknown: UnknownResponseMembers;
}

/**
 * Creates the filter of an operation's results: removes `writeOnly` members, and undeclared ones unless they are
 * kept. The schema is compiled on first use.
 * @returns a function that throws TypeError for rejected members
 */
export function responseFilter(
  { name, schema, added, unknown }: FilteredResponse,
  checks: Pick<ResponseChecks, 'reports' | 'reportDropped'>,
): ResponseFilter {
  const shape = lazily(() => compileShape(withAdded(schema, added), unknown === 'keep'));
  return (result) => {
    const pruned = prune(result, shape());
    if (pruned === result || unknown === 'keep') return pruned;
    if (unknown === 'refuse') assertKnown(name, findUndeclaredMembers(result, shape()));
    else if (checks.reports) checks.reportDropped(name, findUndeclaredMembers(result, shape()));
    return pruned;
  };
}

/** The author's schema of a page need not repeat the paging members. */
function withAdded(schema: TSchema, added: readonly string[]): TSchema {
  if (added.length === 0 || !isSchema(schema.properties)) return schema;
  const missing = added.filter((one) => !Object.hasOwn(schema.properties as object, one));
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(missing.map((one) => [one, Type.Unknown()])) },
  };
}

/** @throws TypeError that names the members, not their values */
function assertKnown(name: string, members: readonly string[]): void {
  if (members.length === 0) return;
  throw new TypeError(
    `${name} returned ${members.join(', ')}, which its response schema does not declare. Declare ${members.length === 1 ? 'it' : 'them'}, or set unknown_response_members to "drop".`,
  );
}
