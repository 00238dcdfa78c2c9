import type { Steps } from '../../../framework';
import type { JsonSchema } from '../model/data';
import { fieldsFromSchema } from '../model/fields-from-schema';
import type { Operation } from '../model/operation';
import { matchByKey, type Difference } from './change';
import {
  comparedBody,
  comparedFieldData,
  comparedFields,
  comparedParameters,
  fieldDifferences,
  type ComparedField,
} from './fields';

/** Compares an operation in two versions. @param versions occur in vendor media types */
export function* operationDifferences(
  before: Operation,
  after: Operation,
  versions: readonly [before: number, after: number],
): Steps<readonly Difference[]> {
  return [
    ...accessChange(before, after),
    ...deprecationChange(before, after),
    ...(yield* fieldDifferences(
      'parameter',
      comparedParameters(before.getQueryParameters()),
      comparedParameters(after.getQueryParameters()),
    )),
    ...(yield* fieldDifferences(
      'parameter',
      comparedParameters(before.getRequestHeaders()),
      comparedParameters(after.getRequestHeaders()),
    )),
    ...(yield* bodyDifferences(
      'request',
      { schema: before.getRequestSchema(), fields: comparedFields(before.getFields()) },
      { schema: after.getRequestSchema(), fields: comparedFields(after.getFields()) },
    )),
    ...(yield* responseDifferences(before.getResponseSchema(), after.getResponseSchema())),
    ...(yield* otherResponses(before, after)),
    ...typeChanges('request type', before.getRequestContentTypes(), after.getRequestContentTypes(), versions),
    ...typeChanges(
      'response type',
      before.getResponseContentTypes(),
      after.getResponseContentTypes(),
      versions,
    ),
    ...statusChanges(before, after),
  ];
}

/** Compares the responses of common statuses with their own schema in either version. */
function* otherResponses(before: Operation, after: Operation): Steps<readonly Difference[]> {
  const has = (operation: Operation, code: number): boolean =>
    operation.getResponseStatusCodes().some((one) => one.code === code);
  const codes = new Set([...before.getOtherResponseStatuses(), ...after.getOtherResponseStatuses()]);
  const found: Difference[] = [];
  for (const code of codes) {
    if (!has(before, code) || !has(after, code)) continue;
    const differences = yield* responseDifferences(
      before.getResponseSchema(code),
      after.getResponseSchema(code),
    );
    found.push(...differences.map((one) => ({ ...one, detail: `with ${code}: ${one.detail}` })));
  }
  return found;
}

function* responseDifferences(
  before: JsonSchema | null,
  after: JsonSchema | null,
): Steps<readonly Difference[]> {
  const old = bodyOf(before);
  yield;
  const now = bodyOf(after);
  yield;
  return yield* bodyDifferences('response', old, now);
}

/** The body of a request or response; the schema is null if there is none. */
interface Body {
  readonly schema: JsonSchema | null;
  readonly fields: readonly ComparedField[];
}

function bodyOf(schema: JsonSchema | null): Body {
  return { schema, fields: schema === null ? [] : comparedFieldData(fieldsFromSchema(schema)) };
}

function* bodyDifferences(
  subject: 'request' | 'response',
  before: Body,
  after: Body,
): Steps<readonly Difference[]> {
  // The fields of a body that is added or removed describe it.
  const isDescribed =
    (before.schema === null || after.schema === null) && before.fields.length + after.fields.length > 0;
  const wholes = [before, after].map(({ schema }) => comparedBody(isDescribed ? null : schema));
  const [old = [], now = []] = wholes;
  return [
    ...(yield* fieldDifferences(`${subject} body`, old, now)),
    ...(yield* fieldDifferences(`${subject} field`, before.fields, after.fields)),
  ];
}

function accessChange(before: Operation, after: Operation): readonly Difference[] {
  const [old, now] = [describeAccess(before), describeAccess(after)];
  if (old === now) return [];
  // A policy may deny users who had access before.
  const breaking =
    after.getAuthorizationPolicy() !== null ||
    isStricter(before, after) ||
    requiresOtherScopes(before, after);
  return [{ kind: 'changed', subject: 'access', name: '', detail: `${old} → ${now}`, breaking }];
}

function isStricter(before: Operation, after: Operation): boolean {
  return after.requiresAuthorization() && !before.requiresAuthorization();
}

/** Whether credentials that were permitted by a scope, or without any, may not be any more. */
function requiresOtherScopes(before: Operation, after: Operation): boolean {
  const [old, now] = [before.getScopes(), after.getScopes()];
  if (now === null) return false;
  if (old === null) return true;
  const isKept = old.anyOf.every((scope) => now.anyOf.includes(scope));
  return !isKept || (old.othersPermitted && !now.othersPermitted);
}

function describeAccess(operation: Operation): string {
  if (!operation.requiresAuthorization()) return 'public';
  const policy = operation.getAuthorizationPolicy();
  if (policy !== null) return `authentication required, policy "${policy.name}"`;
  const scopes = operation.getScopes();
  if (scopes === null) return 'authentication required';
  const names = scopes.anyOf.map((scope) => `"${scope}"`).join(' or ');
  return `authentication required, scope ${names}${scopes.othersPermitted ? ' or some users' : ''}`;
}

function deprecationChange(before: Operation, after: Operation): readonly Difference[] {
  if (before.isDeprecated() === after.isDeprecated()) return [];
  const detail = after.isDeprecated() ? 'deprecated' : 'no longer deprecated';
  return [{ kind: 'changed', subject: 'deprecation', name: '', detail, breaking: false }];
}

/** Media types that differ only in the version of the API are equal. */
function typeChanges(
  subject: 'request type' | 'response type',
  before: readonly string[],
  after: readonly string[],
  [old, now]: readonly [number, number],
): readonly Difference[] {
  const neutral = (type: string, version: number): string =>
    type.toLowerCase().replace(new RegExp(`\\.v${version}(?=[.+;]|$)`, 'g'), '.v*');
  const { removed, added } = matchByKey(
    before.map((name) => ({ name, key: neutral(name, old) })),
    after.map((name) => ({ name, key: neutral(name, now) })),
    ({ key }) => key,
  );
  return [
    ...removed.map(({ name }) => ({ kind: 'removed' as const, subject, name, detail: '', breaking: true })),
    ...added.map(({ name }) => ({ kind: 'added' as const, subject, name, detail: '', breaking: false })),
  ];
}

function statusChanges(before: Operation, after: Operation): readonly Difference[] {
  const { removed, added } = matchByKey(
    before.getResponseStatusCodes(),
    after.getResponseStatusCodes(),
    ({ code }) => String(code),
  );
  const difference = (kind: 'added' | 'removed', code: number, detail: string): Difference => ({
    kind,
    subject: 'status',
    name: String(code),
    detail,
    // Clients depend on success statuses, and a 428 requires one of several header fields.
    breaking: kind === 'removed' ? code < 300 : code === 428,
  });
  return [
    ...removed.map(({ code, message }) => difference('removed', code, message)),
    ...added.map(({ code, message }) => difference('added', code, message)),
  ];
}
