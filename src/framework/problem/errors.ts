import { parsePointer } from '../json/json-pointer';
import { didYouMean } from '../text/closest-match';
import { listNames, MAX_NAMES } from '../text/list-names';
import { pluralize } from '../text/pluralize';
import { truncate } from '../text/truncate';
import { Problem } from './problem';

/** An entry of the error table: a status, and a detail with typed arguments. */
export interface ErrorEntry<A> {
  readonly status: number;
  readonly detail: (args: A) => string;
}

function entry<A>(status: number, detail: (args: A) => string): ErrorEntry<A> {
  return { status, detail };
}

/** The closest of many names, which the first ones may lack, and the first ones. */
function availableNames(name: string, names: readonly string[]): string {
  return `${names.length > MAX_NAMES ? didYouMean(name, names) : ''} Available: ${listNames(names)}.`;
}

/** All errors of the platform, by code. Each code has an entry in `docs/errors.md`. */
export const errors = {
  unauthorized: entry(401, () => 'Unauthorized'),
  forbidden: entry(403, ({ scopes = [] }: { scopes?: readonly string[] }) => {
    const names = scopes.map((scope) => `"${scope}"`).join(' or ');
    const advice = names === '' ? '' : ` Use a token or key with the scope ${names}.`;
    return `You do not have permission to do this.${advice}`;
  }),
  forbidden_by_policy: entry(403, (a: { reason: string }) => a.reason),
  cross_origin_form: entry(
    403,
    () =>
      'This form was not submitted from a page of this service. Nothing was changed. Open the page here and submit the form again.',
  ),
  cross_origin_request: entry(
    403,
    () =>
      'This request came from a page of another site. Nothing was changed. Send it from a page of this service or from a program.',
  ),
  form_expired: entry(
    403,
    () =>
      'This form belongs to an expired session. Nothing was changed. Reload the page and submit the form again.',
  ),
  address_not_allowed: entry(403, () => 'Access from your network address is not allowed.'),
  client_address_unknown: entry(
    403,
    () =>
      'The request came through an untrusted proxy, and access is restricted by network address. ' +
      'Operator: add the proxy to server.trust_proxy and have it set X-Forwarded-For.',
  ),
  claim_link_invalid: entry(
    403,
    () =>
      'This link is invalid or has already been used. It works once, in a browser on the machine that runs the service.',
  ),
  forbidden_to_guests: entry(
    403,
    () => 'Authentication is required, but no authentication adapter is configured for this API.',
  ),
  bad_request: entry(400, (a: { reason: string }) => a.reason),
  bad_target: entry(400, (a: { path: string }) => `The path ${a.path} is not correctly percent-encoded.`),
  versions_disagree: entry(
    400,
    (a: { sources: readonly string[] }) =>
      `The request names conflicting API versions: ${listNames(a.sources)}. Send one version, or the same version everywhere.`,
  ),
  bad_query: entry(
    400,
    (a: { names: readonly string[]; hint?: string }) =>
      `Invalid query parameters: ${listNames(a.names.map((name) => (name === '' ? 'one without a name' : truncate(name))))}.${a.hint === undefined ? '' : ` ${a.hint}`}`,
  ),
  page_size_exceeded: entry(400, (a: { limit: number }) => `page_size must not exceed ${a.limit}.`),
  bad_page_number: entry(400, (a: { parameter: string; isTooLarge?: boolean }) =>
    a.isTooLarge === true
      ? `${a.parameter} is too large.`
      : `${a.parameter} must be an integer of at least 1.`,
  ),
  bad_json: entry(400, (a: { reason: string }) => `The body is not valid JSON: ${a.reason}`),
  nested_too_deeply: entry(
    400,
    (a: { limit: number }) => `The body is nested more than ${a.limit} levels deep. Reduce the nesting.`,
  ),
  bad_body: entry(400, (a: { reason: string }) => `The body could not be read: ${a.reason}`),
  route_not_found: entry(404, (a: { path: string }) => `No resource found at ${a.path}.`),
  version_not_found: entry(
    404,
    (a: { api: string; version: number; versions: readonly number[] }) =>
      // A greater number is rounded.
      `API ${a.api} has no ${Number.isSafeInteger(a.version) ? `version ${a.version}` : 'such version'} here. Available: ${listNames(a.versions)}.`,
  ),
  entity_not_found: entry(
    404,
    (a: { service: string; id: string }) => `${a.service} has no entity "${a.id}".`,
  ),
  documented_api_not_found: entry(
    404,
    (a: { api: string; apis: readonly string[] }) =>
      `API "${a.api}" does not exist.${availableNames(a.api, a.apis)}`,
  ),
  documented_service_not_found: entry(
    404,
    (a: { api: string; service: string; services: readonly string[] }) =>
      `${a.api} has no service "${a.service}".${availableNames(a.service, a.services)}`,
  ),
  name_not_found: entry(
    404,
    (a: { kind: string; name: string; names: readonly string[] }) =>
      `The ${a.kind} "${a.name}" does not exist.${availableNames(a.name, a.names)}`,
  ),
  page_not_found: entry(
    409,
    (a: { page: number; pages: number }) => `Page ${a.page} does not exist. The last page is ${a.pages}.`,
  ),
  method_not_allowed: entry(
    405,
    (a: { method: string; allow: string }) => `${a.method} is not allowed here. Allowed: ${a.allow}.`,
  ),
  not_acceptable: entry(
    406,
    (a: { available: readonly string[] }) =>
      `None of the media types in the Accept field can be served. Available: ${a.available.join(', ') || 'none'}.`,
  ),
  format_not_found: entry(
    406,
    (a: { format: string; formats: readonly string[]; of?: string }) =>
      `Format "${a.format}"${a.of === undefined ? '' : ` of ${a.of}`} does not exist. Available: ${listNames(a.formats)}.`,
  ),
  name_taken: entry(
    409,
    (a: { kind: string; name: string }) => `The ${a.kind} "${a.name}" already exists. Choose another name.`,
  ),
  in_use: entry(
    409,
    (a: { kind: string; name: string; by: readonly string[] }) =>
      `The ${a.kind} "${a.name}" is in use by ${listNames(a.by)}. Remove it there first.`,
  ),
  last_user: entry(
    409,
    (a: { user: string; adapters: readonly string[] }) =>
      `${a.user} is the last user of the adapter ${listNames(a.adapters)}, which cannot start without users. Add another user first, or delete the adapter.`,
  ),
  overruled: entry(
    409,
    (a: { path: string; source: string }) =>
      `${a.path} is set in ${a.source}, which overrides config/autoload/local.json. Change it there.`,
  ),
  role_required: entry(
    403,
    (a: { role: string; required: string }) =>
      `Your role is ${a.role}. This requires the role ${a.required}. Ask an administrator.`,
  ),
  role_required_for: entry(
    403,
    (a: { role: string; required: string; path: string }) =>
      `Your role is ${a.role}. Changing ${a.path} requires the role ${a.required}, also if it was edited in a file and not loaded yet. Ask an administrator.`,
  ),
  second_factor_required: entry(
    403,
    () =>
      'Administrators who have or need a second factor cannot use Basic credentials. Use an API key whose groups contain a role.',
  ),
  accounts_unreadable: entry(
    503,
    () => 'The roles of the administrators cannot be read. The log of the service says why.',
  ),
  would_lock_out: entry(409, (a: { reason: string }) => `This would lock you out: ${a.reason}`),
  changed_since: entry(
    409,
    (a: { revision: number; paths: readonly string[] }) =>
      `Revision ${a.revision} cannot be undone on its own: ${listNames(a.paths)} ${a.paths.length === 1 ? 'has' : 'have'} changed since. Undo the later changes first, or restore an earlier revision as a whole.`,
  ),
  already_exists: entry(
    409,
    /** `expression`: what the database compares instead of the members; `null` for one that clients must not see */
    (a: { service: string; members: readonly string[]; expression?: string | null }) => {
      if (a.members.length === 0) return `Such an entity of ${a.service} already exists.`;
      const names = listNames(a.members.flatMap(parsePointer));
      return a.expression === null
        ? `An entity of ${a.service} already exists for which the database derives the same value from ${names}.`
        : `An entity of ${a.service} with the same ${a.expression ?? names} already exists.`;
    },
  ),
  still_referenced: entry(
    409,
    (a: { service: string }) =>
      `Other entities refer to this entity of ${a.service}. Delete those first, or change what they refer to.`,
  ),
  write_conflict: entry(
    409,
    (a: { service: string }) =>
      `Another change to ${a.service} was made at the same time. Nothing was changed. Try again.`,
  ),
  changed_meanwhile: entry(
    412,
    (a: { what: string }) =>
      `${a.what} has changed since you loaded it. Fetch the current version and retry.`,
  ),
  precondition_failed: entry(412, (a: { reason: string }) => a.reason),
  content_too_large: entry(413, (a: { limit: number }) => `The body exceeds the limit of ${a.limit} bytes.`),
  form_too_large: entry(413, (a: { what: string }) => `The form has ${a.what}, which exceeds the limit.`),
  unsupported_media_type: entry(
    415,
    (a: { type: string; supported: readonly string[] }) =>
      `${a.type === '' ? 'The request has no Content-Type.' : `Unsupported media type ${truncate(a.type)}.`} Supported: ${listNames(a.supported)}.`,
  ),
  unsupported_coding: entry(
    415,
    (a: { coding: string }) =>
      `Unsupported content coding ${a.coding}. Send the body without a content coding.`,
  ),
  range_not_satisfiable: entry(
    416,
    (a: { size: number }) =>
      `The range is not within the ${a.size} bytes of this file. Request a range that begins in it.`,
  ),
  expectation_failed: entry(
    417,
    (a: { expectation: string }) => `Unsupported expectation "${a.expectation}". Supported: 100-continue.`,
  ),
  request_timeout: entry(408, () => 'The request was not received completely within the time limit.'),
  too_slow: entry(
    408,
    (a: { rate: number }) => `The body arrived at less than ${a.rate} bytes per second. Send it faster.`,
  ),
  request_line_too_long: entry(
    414,
    (a: { limit: number }) =>
      `The request line exceeds the limit of ${a.limit} bytes. Shorten the URL, or send the data in a body.`,
  ),
  header_section_too_large: entry(
    431,
    (a: { limit: number }) => `The header section exceeds the limit of ${a.limit} bytes.`,
  ),
  too_many_header_fields: entry(
    431,
    (a: { limit: number }) => `The request has more than ${a.limit} header fields.`,
  ),
  too_many_members: entry(
    400,
    (a: { limit: number; pointer: string }) =>
      `The body has more than ${a.limit} members and items; the first one too many is at "${a.pointer}". Send it in parts.`,
  ),
  host_not_allowed: entry(
    421,
    (a: { host: string }) =>
      `Administrators cannot sign in under the host name "${a.host}". Use localhost or an IP address, or add the name to platform-admin.hosts.`,
  ),
  failed_validation: entry(
    422,
    (a: { count: number; listed?: number; isComplete?: boolean; part?: 'body' | 'request' }) =>
      `The ${a.part ?? 'body'} has ${a.count === 1 ? 'an error' : `${a.count} errors${a.isComplete === false ? ' or more' : ''}`}; see ${(a.listed ?? a.count) < a.count ? 'the first in ' : ''}"errors".`,
  ),
  batch_not_atomic: entry(
    422,
    (a: { reason: string }) => `The operation cannot be part of this batch: ${a.reason}.`,
  ),
  not_deleted: entry(422, (a: { what: string }) => `${a.what} could not be deleted.`),
  not_stored: entry(422, (a: { what: string }) => `${a.what} could not be stored.`),
  configuration_refused: entry(
    422,
    // Some reasons have several lines, such as those of code.
    (a: { reasons: readonly string[]; isCurrent?: boolean }) =>
      `The configuration ${a.isCurrent === true ? 'is' : 'would be'} invalid: ${a.reasons.join('\n')}`,
  ),
  rollout_refused: entry(
    422,
    (a: { nodes: readonly { readonly node: string; readonly message: string }[] }) =>
      [
        'Nothing was changed on any node.',
        ...a.nodes.map(({ node, message }) => `Node ${node}: ${message}`),
      ].join('\n'),
  ),
  precondition_required: entry(
    428,
    (a: { what: string }) => `Changes to ${a.what} require If-Match. Send If-Match with the current ETag.`,
  ),
  too_many_failures: entry(
    429,
    (a: { seconds: number }) =>
      `Too many failed sign-ins. Try again in ${a.seconds === 1 ? 'a second' : `${a.seconds} seconds`}.`,
  ),
  rate_limited: entry(
    429,
    (a: { limit: string; seconds: number }) =>
      `The rate limit of ${a.limit} is reached. Try again in ${a.seconds === 1 ? 'a second' : `${a.seconds} seconds`}.`,
  ),
  unreadable_value: entry(
    500,
    (a: { isUncomputed?: boolean }) =>
      `The result has a value that ${a.isUncomputed === true ? 'the database cannot compute' : 'cannot be returned exactly, such as an integer beyond 2^53'}. The request cannot succeed until an administrator has corrected that.`,
  ),
  method_not_implemented: entry(
    501,
    (a: { method: string }) => `The method ${truncate(a.method)} is not supported by this server.`,
  ),
  unsupported_transfer_coding: entry(
    501,
    (a: { coding?: string }) =>
      `The transfer coding${a.coding === undefined ? '' : ` "${a.coding}"`} is not supported. Supported: chunked, once.`,
  ),
  too_many_sign_ins: entry(
    429,
    (a: { seconds: number }) =>
      `Too many pending sign-ins from your address. Try again in ${a.seconds === 1 ? 'a second' : `${a.seconds} seconds`}.`,
  ),
  overloaded: entry(503, () => 'The service is overloaded. Try again later.'),
  sign_in_unavailable: entry(503, () => 'Credentials cannot be verified at the moment. Try again later.'),
  timed_out: entry(
    503,
    (a: { seconds: number; what?: string }) =>
      `${a.what ?? 'The operation'} exceeded its timeout of ${pluralize(a.seconds, 'second')}. Try again later.`,
  ),
  database_unavailable: entry(503, () => 'The data is currently unavailable. Try again later.'),
  outcome_unknown: entry(
    503,
    () => 'It is not known whether the change was made. Read the data before you repeat the request.',
  ),
  database_mismatch: entry(
    503,
    () =>
      'This service does not match its database. The request cannot succeed until an administrator has corrected that.',
  ),
  configuration_store_unavailable: entry(
    503,
    (a: { reason: string }) =>
      `The configuration store is currently unavailable: ${a.reason.replace(/\.?$/, '.')} All nodes continue with the current configuration.`,
  ),
  too_many_connections: entry(
    503,
    () => 'The connection limit is reached, in total or for your address. Try again later.',
  ),
  body_memory_exhausted: entry(503, () => 'The memory limit for request bodies is reached. Try again later.'),
  too_many_open_files: entry(
    503,
    () => 'The limit of open files and connections is reached. Try again later.',
  ),
  http_version_not_supported: entry(505, () => 'Only HTTP/1.1 and HTTP/1.0 are supported.'),
  cannot_write: entry(507, (a: { reason: string }) => `Nothing was changed: ${a.reason}`),
} as const;

/** A code of the table of errors, such as `not_acceptable`. */
export type ErrorCode = keyof typeof errors;
type ArgumentsOf<C extends ErrorCode> = Parameters<(typeof errors)[C]['detail']>;

/**
 * Creates a problem from the error table.
 *
 * @example throw problem('method_not_allowed', { method, allow }, { fields: [['Allow', allow]] });
 */
export function problem<C extends ErrorCode>(
  code: C,
  args: ArgumentsOf<C>[0],
  more: Pick<
    ConstructorParameters<typeof Problem>[2] & object,
    'extensions' | 'fields' | 'cause' | 'logOnce'
  > = {},
): Problem {
  const { status, detail }: ErrorEntry<ArgumentsOf<C>[0]> = errors[code] as ErrorEntry<ArgumentsOf<C>[0]>;
  return new Problem(status, detail(args), { ...more, code });
}
