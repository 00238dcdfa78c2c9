import type { HostedEndpoint, HostedVersion } from '../hosting';
import type { HeaderData, OperationData, ParameterData } from './model/data';

/** The statuses of preconditions (RFC 9110, 13). */
export function conditionalStatuses({ conditions }: HostedEndpoint): readonly number[] {
  if (conditions === undefined) return [];
  if (conditions.kind === 'read') return [304, 412];
  return conditions.required ? [412, 428] : [412];
}

/** The header fields that an operation looks at, and those of its answers. */
export function headersOf(
  endpoint: HostedEndpoint,
  lifecycle: HostedVersion['lifecycle'],
): Pick<OperationData, 'requestHeaders' | 'responseHeaders'> {
  const requestHeaders = requestHeadersOf(endpoint);
  const responseHeaders = responseHeadersOf(endpoint, lifecycle);
  return {
    ...(requestHeaders.length === 0 ? {} : { requestHeaders }),
    ...(responseHeaders.length === 0 ? {} : { responseHeaders }),
  };
}

function requestHeadersOf({ conditions, method }: HostedEndpoint): readonly ParameterData[] {
  if (conditions === undefined) return [];
  if (conditions.kind === 'read') {
    return [
      field('If-None-Match', 'The entity tags that the client has: 304 when one is the current.', false),
    ];
  }
  return [
    field(
      'If-Match',
      'The entity tag of the state that the client saw: 412 when it is another by now, and nothing is changed.',
      conditions.required && method !== 'PUT',
    ),
    ...(method === 'PUT' ? [field('If-None-Match', '`*` to create, and never to replace.', false)] : []),
  ];
}

function field(name: string, description: string, required: boolean): ParameterData {
  return { name, in: 'header', description, required, schema: { type: 'string' } };
}

function responseHeadersOf(
  { conditions, status, definition }: HostedEndpoint,
  lifecycle: HostedVersion['lifecycle'],
): readonly HeaderData[] {
  const others = (definition.status_codes ?? []).map(({ code }) => code).filter((code) => code < 300);
  const successes = [...new Set([status, ...others])];
  const tagged = [...successes, ...(conditions?.kind === 'read' ? [304] : [])];
  return [
    ...(conditions?.tagged === true
      ? [{ name: 'ETag', description: 'Tells this state from any other (RFC 9110, 8.8.3).', codes: tagged }]
      : []),
    ...(lifecycle?.deprecated === undefined
      ? []
      : [
          {
            name: 'Deprecation',
            description: 'Since when to leave this version (RFC 9745).',
            codes: successes,
          },
        ]),
    ...(lifecycle?.sunset === undefined
      ? []
      : [{ name: 'Sunset', description: 'When this version will be gone (RFC 8594).', codes: successes }]),
  ];
}
