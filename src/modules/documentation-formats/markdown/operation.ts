import {
  docResponses,
  docSchemas,
  jsonExcerpt,
  type Api,
  type Operation,
  type Service,
} from '../../documentation';
import { docCredentials, type AdapterCredentials } from '../../documentation';
import { parameterTable, schemaText, type KnownParameters } from './schema';
import { block, code, paragraphs, plain, prose, table } from './text';

interface OperationOptions {
  /** Whether it has the schemas of responses. */
  readonly isComplete: boolean;
  readonly parameters: KnownParameters;
}

/**
 * Renders the section of an operation.
 * @param level of its heading
 */
export function operationSection(
  service: Service,
  operation: Operation,
  level: number,
  { isComplete, parameters }: OperationOptions,
): string {
  const marks = '#'.repeat(level);
  const below = '#'.repeat(level + 1);
  const request = operation.getRequestSchema();
  const query = operation.getQueryParameters();
  const headers = operation.getRequestHeaders();
  return paragraphs([
    `${marks} ${operation.getHttpMethod()} ${plain(service.getPaths(operation).at(-1) ?? '')}`,
    operation.getSummary() === '' ? '' : `**${plain(operation.getSummary())}**`,
    operation.getTags().length === 0 ? '' : `Tags: ${operation.getTags().map(plain).join(', ')}`,
    operation.isDeprecated() ? '**Deprecated.** Do not use it in new clients.' : '',
    prose(operation.getDescription(), level),
    access(service.getApi(), operation),
    rateLimits(operation),
    ...(query.length === 0 ? [] : [`${below} Query parameters`, parameterTable(query, parameters)]),
    ...(headers.length === 0 ? [] : [`${below} Request headers`, parameterTable(headers, parameters)]),
    ...(request === null
      ? []
      : [
          `${below} Request body`,
          prose(operation.getRequestDescription(), level + 1),
          types('Request media types', operation.getRequestContentTypes()),
          schemaText(docSchemas(service).describe(request)),
          example(operation.getRequestExample()),
        ]),
    `${below} Response`,
    prose(operation.getResponseDescription(), level + 1),
    types('Response media types', operation.getResponseContentTypes()),
    ...(isComplete ? responseSchemas(service, operation) : []),
    table(
      ['Status', 'Meaning'],
      operation.getResponseStatusCodes().map(({ code: status, message }) => [String(status), plain(message)]),
    ),
    example(operation.getResponseExample()),
  ]);
}

/** The schemas of the responses: that of the usual status first, then those of others. */
function responseSchemas(service: Service, operation: Operation): readonly string[] {
  const others = operation.getOtherResponseStatuses();
  const described = docResponses(service, operation).filter(({ schema }) => schema !== undefined);
  const text = ({ schema, mayBeNull }: (typeof described)[number]): readonly string[] =>
    schema === undefined ? [] : [schemaText(schema), mayBeNull ? 'The response may be `null`.' : ''];
  return [
    ...described.filter(({ code }) => !others.includes(code)).flatMap(text),
    ...described
      .filter(({ code }) => others.includes(code))
      .flatMap((response) => [`With ${response.code}:`, ...text(response)]),
  ];
}

/** Describes the access rule of an operation. */
function access(api: Api | null, operation: Operation): string {
  const adapters = operation.getAdapters().map((name) => {
    const adapter = api?.getAdapters().find((one) => one.name === name);
    if (adapter === undefined) return `credentials for the adapter ${code(name)}`;
    return docCredentials(adapter)
      .map((one) => credentials(one, adapter.realm))
      .join(' or ');
  });
  if (operation.requiresAuthorization()) {
    const needed =
      adapters.length === 0
        ? 'Authentication required. No adapter is configured: everybody receives a 403, except users authenticated by a module of the service.'
        : `Authentication required: ${adapters.join(', or ')}.`;
    return needed + scopeWords(operation) + policyWords(operation);
  }
  return adapters.length === 0
    ? 'Public.'
    : `Public. Credentials are optional: ${adapters.join(', or ')}. Invalid ones are refused with 401.`;
}

function credentials(one: AdapterCredentials, realm: string): string {
  switch (one.kind) {
    case 'http':
      return `HTTP ${one.schemes.join(' or ')} credentials for the realm ${code(realm)}`;
    case 'keyInHeader':
      return `an API key in the header field ${code(one.name)}`;
    case 'keyInQuery':
      return `an API key in the query parameter ${code(one.name)}`;
    case 'oauth2':
      return `an OAuth 2.0 access token as HTTP Bearer for the realm ${code(realm)}`;
    case 'openIdConnect':
      return `an access token of the OpenID Connect provider <${one.url}> as HTTP Bearer for the realm ${code(realm)}`;
  }
}

function rateLimits(operation: Operation): string {
  const limits = operation
    .getRateLimits()
    .map(({ description, weight = 1 }) => description + (weight === 1 ? '' : ` (each counts ${weight})`));
  return limits.length === 0 ? '' : `Rate limits: ${limits.join('; ')}.`;
}

function scopeWords(operation: Operation): string {
  const scopes = operation.getScopes();
  if (scopes === null) return '';
  const others = scopes.othersPermitted ? '; some users and groups are permitted without it' : '';
  return ` Requires the scope ${scopes.anyOf.map(code).join(' or ')}${others}.`;
}

function policyWords(operation: Operation): string {
  const policy = operation.getAuthorizationPolicy();
  if (policy === null) return '';
  const description = policy.description === '' ? '.' : `: ${plain(policy.description)}`;
  return ` The policy ${code(policy.name)} decides which users may call it${description}`;
}

function types(label: string, mediaTypes: readonly string[]): string {
  return mediaTypes.length === 0 ? '' : `${label}: ${mediaTypes.map(code).join(', ')}`;
}

function example(value: unknown): string {
  if (value === undefined) return '';
  const text = jsonExcerpt(value);
  return text === undefined
    ? 'The example is too long to show here; see [openapi](?format=openapi).'
    : block('json', text);
}
