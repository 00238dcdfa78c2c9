import { immutable } from '../../../framework';
import type { HostedEndpoint, HostedService, HostedVersion } from '../../hosting';
import type { HeaderData, OperationData, ParameterData } from '../model/data';

/** The statuses of preconditions (RFC 9110, 13). */
export function conditionalStatuses({ conditional: conditions }: HostedEndpoint): readonly number[] {
  if (conditions?.compared !== true) return [];
  if (conditions.kind === 'read') return [304, 412];
  return conditions.required ? [412, 428] : [412];
}

/** Returns the request and response headers of an operation. */
export function headersOf(
  endpoint: HostedEndpoint,
  service: HostedService,
  lifecycle: HostedVersion['lifecycle'],
): Pick<OperationData, 'requestHeaders' | 'responseHeaders'> {
  const requestHeaders = requestHeadersOf(endpoint);
  const responseHeaders = responseHeadersOf(endpoint, service, lifecycle);
  return {
    ...(requestHeaders.length === 0 ? {} : { requestHeaders }),
    ...(responseHeaders.length === 0 ? {} : { responseHeaders }),
  };
}

function requestHeadersOf({ conditional: conditions, method }: HostedEndpoint): readonly ParameterData[] {
  if (conditions?.compared !== true) return [];
  if (conditions.kind === 'read') {
    return [
      headerField(
        'If-None-Match',
        'Entity tags that the client has cached; 304 if one of them is current.',
        false,
      ),
    ];
  }
  return [
    headerField(
      'If-Match',
      'Entity tag of the version to change; 412 without a change if it is no longer current.',
      conditions.required && method !== 'PUT',
    ),
    ...(method === 'PUT' ? [headerField('If-None-Match', '`*` creates and never replaces.', false)] : []),
  ];
}

function headerField(name: string, description: string, required: boolean): ParameterData {
  return { name, in: 'header', description, required, schema: { type: 'string' } };
}

/**
 * Whether a 201 has `Location` and `Content-Location`: a POST to a collection of entities with operations, and a PUT that
 * creates. RPC operations send none.
 */
function sendsLocation({ part, method }: HostedEndpoint, { entityOperations }: HostedService): boolean {
  const creates = part === 'collection' && method === 'POST' && entityOperations.length > 0;
  return creates || (part === 'entity' && method === 'PUT');
}

function responseHeadersOf(
  endpoint: HostedEndpoint,
  service: HostedService,
  lifecycle: HostedVersion['lifecycle'],
): readonly HeaderData[] {
  const { conditional: conditions, status, definition } = endpoint;
  const others = (definition.status_codes ?? []).map(({ code }) => code).filter((code) => code < 300);
  const successes = [...new Set([status, ...others])];
  const tagged = [...successes, ...(conditions?.kind === 'read' ? [304] : [])];
  // Without spreads, which create an iterator for each condition.
  const headers: HeaderData[] = [];
  if (successes.includes(201) && sendsLocation(endpoint, service)) headers.push(...OF_CREATED);
  if (conditions?.tagged === true)
    headers.push(header('ETag', 'Entity tag of this version (RFC 9110, 8.8.3).', tagged));
  if (endpoint.paging !== undefined && endpoint.method === 'GET') {
    const description =
      'URIs of other pages: `first`, `prev`, `next`, and `last` of numbered pages (RFC 8288).';
    headers.push(header('Link', description, [status]));
  }
  if (endpoint.rateLimits !== undefined) headers.push(...rateLimitHeaders([...successes, 429]));
  if (lifecycle?.deprecated !== undefined)
    headers.push(header('Deprecation', 'Date since which this version is deprecated (RFC 9745).', successes));
  if (lifecycle?.sunset !== undefined)
    headers.push(header('Sunset', 'Date on which this version will be removed (RFC 8594).', successes));
  return headers;
}

/** Shared by operations, so that they are not copied for each of them. */
const OF_CREATED: readonly HeaderData[] = immutable([
  header('Location', 'URI of the created entity (RFC 9110, 10.2.2).', [201]),
  header('Content-Location', 'The same URI: the content is the created entity (RFC 9110, 8.7).', [201]),
]);

function rateLimitHeaders(codes: readonly number[]): readonly HeaderData[] {
  return [
    header('RateLimit-Policy', 'The rate limits: `q` requests within `w` seconds.', codes),
    header(
      'RateLimit',
      'For each limit, the requests that remain (`r`), and the seconds until there are more (`t`).',
      codes,
    ),
  ];
}

/** @param codes of the responses that have it */
function header(name: string, description: string, codes: readonly number[]): HeaderData {
  return { name, description, codes };
}
