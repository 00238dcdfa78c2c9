import { Type, type TSchema } from '@sinclair/typebox';
import { isSchema, lazily } from '../../../framework';
import { compileShape } from '../../content-validation';
import { prune } from './prune';
import type { ResponseChecks } from '../responses/response-checks';
import type { ResponseMatcher, ResponseMatchers } from '../response-matcher/response-matcher';
import { findUndeclaredMembers } from './undeclared-members';

/** How undeclared members of responses are treated. */
export type UnknownResponseMembers = 'drop' | 'keep' | 'refuse';

/** What is sent of a result. */
export interface ResponseFilter {
  /** Removes what is not sent; returns the same value if nothing is removed. @throws TypeError for rejected members */
  readonly apply: (result: unknown) => unknown;
  /** Generated code for the usual results; undefined if their schema is not covered. */
  readonly matcher: () => ResponseMatcher | undefined;
}

/** What the filters of an application share. */
interface ResponseFilterOptions {
  readonly checks: Pick<ResponseChecks, 'reports' | 'reportDropped'>;
  readonly matchers: ResponseMatchers;
}

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
 */
export function responseFilter(
  { name, schema, added, unknown }: FilteredResponse,
  { checks, matchers }: ResponseFilterOptions,
): ResponseFilter {
  const whole = lazily(() => withAdded(schema, added));
  const shape = lazily(() => compileShape(whole(), unknown === 'keep'));
  const apply = (result: unknown): unknown => {
    const pruned = prune(result, shape());
    if (pruned === result || unknown === 'keep') return pruned;
    if (unknown === 'refuse') assertKnown(name, findUndeclaredMembers(result, shape()));
    else if (checks.reports) checks.reportDropped(name, findUndeclaredMembers(result, shape()));
    return pruned;
  };
  return { apply, matcher: lazily(() => matcherOf(schema, whole(), unknown === 'keep', matchers)) };
}

function matcherOf(
  schema: TSchema,
  whole: TSchema,
  keepsUnknown: boolean,
  matchers: ResponseMatchers,
): ResponseMatcher | undefined {
  const matcher = matchers.of(whole, keepsUnknown);
  // The declared schema may forbid members that the platform adds, which its validator reports.
  return matcher === undefined || whole === schema ? matcher : { ...matcher, isValid: undefined };
}

/** The author's schema of a page need not repeat the paging members. */
function withAdded(schema: TSchema, added: readonly string[]): TSchema {
  if (added.length === 0 || !isSchema(schema.properties)) return schema;
  const missing = added.filter((one) => !Object.hasOwn(schema.properties as object, one));
  if (missing.length === 0) return schema;
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
