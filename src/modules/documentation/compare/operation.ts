import type { Steps } from '../../../framework';
import type { JsonSchema } from '../model/data';
import { fieldsFromSchema } from '../model/fields-from-schema';
import type { Operation } from '../model/operation';
import { matched, type Difference } from './change';
import { comparedData, comparedFields, comparedParameters, fieldDifferences, type Compared } from './fields';

/** What differs between an operation in two versions. @param versions the vendor's media types carry them */
export function* operationDifferences(
  before: Operation,
  after: Operation,
  versions: readonly [before: number, after: number],
): Steps<readonly Difference[]> {
  const responseBefore = fieldsOf(before.getResponseSchema());
  yield;
  const responseAfter = fieldsOf(after.getResponseSchema());
  yield;
  return [
    ...access(before, after),
    ...deprecation(before, after),
    ...(yield* fieldDifferences(
      'parameter',
      comparedParameters(before.getQueryParameters()),
      comparedParameters(after.getQueryParameters()),
    )),
    ...(yield* fieldDifferences(
      'request field',
      comparedFields(before.getFields()),
      comparedFields(after.getFields()),
    )),
    ...(yield* fieldDifferences('response field', responseBefore, responseAfter)),
    ...types('request type', before.getRequestContentTypes(), after.getRequestContentTypes(), versions),
    ...types('response type', before.getResponseContentTypes(), after.getResponseContentTypes(), versions),
    ...statuses(before, after),
  ];
}

function fieldsOf(schema: JsonSchema | null): readonly Compared[] {
  return schema === null ? [] : comparedData(fieldsFromSchema(schema));
}

function access(before: Operation, after: Operation): readonly Difference[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old === now) return [];
  // A policy may refuse whoever was let in before.
  const breaking = after.getAuthorizationPolicy() !== null || isStricter(before, after);
  return [{ kind: 'changed', subject: 'access', name: '', detail: `${old} → ${now}`, breaking }];
}

function isStricter(before: Operation, after: Operation): boolean {
  return after.requiresAuthorization() && !before.requiresAuthorization();
}

function wordsOf(operation: Operation): string {
  if (!operation.requiresAuthorization()) return 'open to everyone';
  const policy = operation.getAuthorizationPolicy();
  return policy === null ? 'sign-in needed' : `sign-in needed, and the policy "${policy.name}" decides`;
}

function deprecation(before: Operation, after: Operation): readonly Difference[] {
  if (before.isDeprecated() === after.isDeprecated()) return [];
  const detail = after.isDeprecated() ? 'deprecated' : 'deprecated no longer';
  return [{ kind: 'changed', subject: 'deprecation', name: '', detail, breaking: false }];
}

/** A type that only carries the version of its API is the same type. */
function types(
  subject: 'request type' | 'response type',
  before: readonly string[],
  after: readonly string[],
  [old, now]: readonly [number, number],
): readonly Difference[] {
  const neutral = (type: string, version: number): string =>
    type.toLowerCase().replace(new RegExp(`\\.v${version}(?=[.+;]|$)`, 'g'), '.v*');
  const { removed, added } = matched(
    before.map((name) => ({ name, key: neutral(name, old) })),
    after.map((name) => ({ name, key: neutral(name, now) })),
    ({ key }) => key,
  );
  return [
    ...removed.map(({ name }) => ({ kind: 'removed' as const, subject, name, detail: '', breaking: true })),
    ...added.map(({ name }) => ({ kind: 'added' as const, subject, name, detail: '', breaking: false })),
  ];
}

function statuses(before: Operation, after: Operation): readonly Difference[] {
  const { removed, added } = matched(
    before.getResponseStatusCodes(),
    after.getResponseStatusCodes(),
    ({ code }) => String(code),
  );
  const difference = (kind: 'added' | 'removed', code: number, detail: string): Difference => ({
    kind,
    subject: 'status',
    name: String(code),
    detail,
    // A success of another kind is what clients look at.
    breaking: kind === 'removed' && code < 300,
  });
  return [
    ...removed.map(({ code, message }) => difference('removed', code, message)),
    ...added.map(({ code, message }) => difference('added', code, message)),
  ];
}
