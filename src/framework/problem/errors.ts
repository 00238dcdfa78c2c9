import { Problem } from './problem';

/** An entry of the table: what the client is told, from typed arguments. */
interface ErrorEntry<A> {
  readonly status: number;
  readonly detail: (args: A) => string;
}

function entry<A>(status: number, detail: (args: A) => string): ErrorEntry<A> {
  return { status, detail };
}

const list = (names: readonly unknown[]): string => (names.length === 0 ? 'none' : names.join(', '));

/**
 * The one table of the errors that the platform itself answers requests with. Each is explained under
 * its name in `docs/errors.md`.
 */
export const errors = {
  unauthorized: entry(401, () => 'Unauthorized'),
  forbidden: entry(403, () => 'You are known, but not permitted to do this.'),
  forbidden_by_policy: entry(403, (a: { reason: string }) => a.reason),
  foreign_form: entry(
    403,
    () =>
      'This form did not come from a page of this service. Nothing was changed: open the page here, and send it again.',
  ),
  form_expired: entry(
    403,
    () =>
      'This form belongs to a session that has ended. Nothing was changed: open the page again, and send it from there.',
  ),
  outside_networks: entry(403, () => 'The admin may not be used from this network address.'),
  claim_refused: entry(
    403,
    () =>
      'This link is not, or no longer, good for anything. It works once, in a browser on the machine of the service.',
  ),
  forbidden_to_guests: entry(
    403,
    () => 'This needs an authenticated user, and no way to sign in is configured.',
  ),
  bad_request: entry(400, (a: { reason: string }) => a.reason),
  bad_target: entry(400, (a: { path: string }) => `The path ${a.path} is not correctly percent-encoded.`),
  versions_disagree: entry(
    400,
    (a: { sources: readonly string[] }) =>
      `The request names different versions of the API: ${list(a.sources)}. Name one version, or the same everywhere.`,
  ),
  bad_query: entry(
    400,
    (a: { names: readonly string[]; hint?: string }) =>
      `These query parameters are not acceptable: ${list(a.names)}.${a.hint === undefined ? '' : ` ${a.hint}`}`,
  ),
  page_size_exceeded: entry(
    400,
    (a: { limit: number }) =>
      `A page has ${a.limit === 1 ? 'one entity' : `${a.limit} entities`} here at most. Ask for that with page_size, or for fewer.`,
  ),
  bad_page_number: entry(400, (a: { parameter: string }) => `${a.parameter} must be a whole number from 1.`),
  bad_json: entry(400, (a: { reason: string }) => `The body is not well-formed JSON: ${a.reason}`),
  bad_body: entry(400, (a: { reason: string }) => `The body could not be read: ${a.reason}`),
  route_not_found: entry(404, (a: { path: string }) => `Nothing is found at ${a.path}.`),
  version_not_found: entry(
    404,
    (a: { api: string; version: number; versions: readonly number[] }) =>
      `There is no version ${a.version} here of the API ${a.api}. There is: ${list(a.versions)}.`,
  ),
  entity_not_found: entry(
    404,
    (a: { service: string; id: string }) => `${a.service} has no entity "${a.id}".`,
  ),
  documented_api_not_found: entry(
    404,
    (a: { api: string; apis: readonly string[] }) => `There is no API "${a.api}". There is: ${list(a.apis)}.`,
  ),
  documented_service_not_found: entry(
    404,
    (a: { api: string; service: string; services: readonly string[] }) =>
      `${a.api} has no service "${a.service}". It has: ${list(a.services)}.`,
  ),
  name_not_found: entry(
    404,
    (a: { kind: string; name: string; names: readonly string[] }) =>
      `There is no ${a.kind} "${a.name}". There is: ${list(a.names)}.`,
  ),
  page_not_found: entry(
    409,
    (a: { page: number; pages: number }) => `There is no page ${a.page}; the last is ${a.pages}.`,
  ),
  method_not_allowed: entry(
    405,
    (a: { method: string; allow: string }) => `${a.method} is not allowed here. Allowed: ${a.allow}.`,
  ),
  not_acceptable: entry(
    406,
    (a: { available: readonly string[] }) =>
      `None of the media types in the Accept field can be served. Available: ${list(a.available)}.`,
  ),
  format_not_found: entry(
    406,
    (a: { format: string; formats: readonly string[]; of?: string }) =>
      `There is no format "${a.format}"${a.of === undefined ? '' : ` of ${a.of}`}. There is: ${list(a.formats)}.`,
  ),
  name_taken: entry(
    409,
    (a: { kind: string; name: string }) => `There is a ${a.kind} "${a.name}" already. Choose another name.`,
  ),
  still_used: entry(
    409,
    (a: { kind: string; name: string; by: readonly string[] }) =>
      `The ${a.kind} "${a.name}" is in use by ${list(a.by)}. Take it away there first.`,
  ),
  last_user: entry(
    409,
    (a: { user: string; adapters: readonly string[] }) =>
      `${a.user} is the last user that the adapter ${list(a.adapters)} has, and it could not start without one. Add another user first, or delete the adapter.`,
  ),
  overruled: entry(
    409,
    (a: { path: string; source: string }) =>
      `${a.path} is set in ${a.source}, which stands above config/autoload/local.json: change it there.`,
  ),
  would_lock_out: entry(409, (a: { reason: string }) => `This would lock you out: ${a.reason}`),
  changed_since: entry(
    409,
    (a: { revision: number; paths: readonly string[] }) =>
      `Revision ${a.revision} cannot be undone by itself: ${list(a.paths)} was changed since. Undo the later changes first, or restore an earlier revision as a whole.`,
  ),
  changed_meanwhile: entry(
    412,
    (a: { what: string }) => `${a.what} was changed meanwhile. Look at it as it is now, and decide again.`,
  ),
  precondition_failed: entry(412, (a: { reason: string }) => a.reason),
  content_too_large: entry(
    413,
    (a: { limit: number }) => `The body is larger than the ${a.limit} bytes allowed here.`,
  ),
  form_too_large: entry(413, (a: { what: string }) => `The form has ${a.what}, which is not taken here.`),
  unsupported_media_type: entry(
    415,
    (a: { type: string; supported: readonly string[] }) =>
      `A body of type ${a.type} is not taken here. Taken: ${list(a.supported)}.`,
  ),
  unsupported_coding: entry(
    415,
    (a: { coding: string }) => `A body that is coded as ${a.coding} is not taken here. Send it as it is.`,
  ),
  expectation_failed: entry(
    417,
    (a: { expectation: string }) => `The expectation "${a.expectation}" cannot be met.`,
  ),
  failed_validation: entry(
    422,
    (a: { count: number }) =>
      `The body has ${a.count === 1 ? 'an error' : `${a.count} errors`}; see "errors".`,
  ),
  not_deleted: entry(422, (a: { what: string }) => `${a.what} could not be deleted.`),
  configuration_refused: entry(
    422,
    (a: { reasons: readonly string[] }) => `The service could not run with this: ${a.reasons.join(' ')}`,
  ),
  precondition_required: entry(
    428,
    (a: { what: string }) =>
      `${a.what} is changed only by those who say in If-Match which state they saw: the ETag that came with it.`,
  ),
  too_many_failures: entry(
    429,
    (a: { seconds: number }) =>
      `Too many sign-ins from here have failed. Try again in ${a.seconds === 1 ? 'a second' : `${a.seconds} seconds`}.`,
  ),
  busy: entry(503, () => 'Too many requests of this kind are being worked on. Try again soon.'),
  timed_out: entry(
    503,
    (a: { seconds: number }) =>
      `This took longer than the ${a.seconds === 1 ? 'second' : `${a.seconds} seconds`} that it may. Try again later.`,
  ),
  cannot_write: entry(507, (a: { reason: string }) => `Nothing was changed: ${a.reason}`),
} as const;

export type ErrorCode = keyof typeof errors;
type ArgumentsOf<C extends ErrorCode> = Parameters<(typeof errors)[C]['detail']>;

/**
 * A problem from the table.
 *
 * @example throw problem('method_not_allowed', { method, allow }, { fields: [['Allow', allow]] });
 */
export function problem<C extends ErrorCode>(
  code: C,
  args: ArgumentsOf<C>[0],
  more: Pick<ConstructorParameters<typeof Problem>[2] & object, 'extensions' | 'fields' | 'cause'> = {},
): Problem {
  const { status, detail }: ErrorEntry<ArgumentsOf<C>[0]> = errors[code] as ErrorEntry<ArgumentsOf<C>[0]>;
  return new Problem(status, detail(args), more);
}
