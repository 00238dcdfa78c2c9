import { isSchema, listOf } from '../../../framework';
import { acceptsForms } from '../../content-negotiation';
import { QUERY_SEGMENT, type HostedEndpoint, type HostedService, type HostedVersion } from '../../hosting';
import { requiresUser, type OperationPolicy } from '../../mvc-auth';
import { rateLimitsOf } from './rate-limits-of';
import { headersOf } from './headers-of';
import type { JsonSchema, OperationData, PolicyData } from '../model/data';
import { pathsOfRoute } from '../model/route';
import { queryParameters } from './parameters-of';
import type { SchemaReadings } from './schema-readings';
import { scopesOf } from './scopes-of';
import { statusesOf } from './statuses-of';

/** Builds the documentation of an operation from its compiled endpoint. */
export function operationOf(
  endpoint: HostedEndpoint,
  service: HostedService,
  lifecycle: HostedVersion['lifecycle'],
  { fieldsOf, exampleOf }: SchemaReadings,
): OperationData {
  const {
    definition,
    method,
    part,
    requestSchema,
    representationSchema: responseSchema,
    itemSchema,
  } = endpoint;
  // OpenAPI 3.1 and most clients know the POST only.
  const isQuery = part === 'collection' && method === 'QUERY';
  const request =
    definition.examples?.request ?? (requestSchema === null ? undefined : exampleOf(requestSchema));
  const scopes = scopesOf(endpoint.access);
  // A declared example is plain content, without the hypermedia of the response format.
  const declared = responseSchema === endpoint.responseSchema ? definition.examples?.response : undefined;
  const formSchema = formSchemaOf(endpoint);
  const response = declared ?? (responseSchema === null ? undefined : exampleOf(responseSchema));
  return {
    httpMethod: isQuery ? 'POST' : method,
    entity: part === 'entity',
    description: isQuery ? queryDescription(definition, service) : (definition.description ?? ''),
    requestDescription: definition.request_description ?? '',
    responseDescription: definition.response_description ?? '',
    requiresAuthorization: requiresUser(endpoint.access),
    adapters: endpoint.guard?.descriptions.map(({ name }) => name) ?? [],
    acceptTypes: acceptTypesOf(endpoint, service),
    contentTypes: contentTypesOf(endpoint),
    responseContentTypes: responseTypesOf(endpoint, service),
    fields: requestSchema === null ? [] : fieldsOf(requestSchema),
    queryParameters: queryParameters(endpoint.querySchema),
    requestSchema,
    responseSchema,
    status: endpoint.status,
    responseStatusCodes: statusesOf(endpoint, service),
    // Last: V8 adds what follows a spread member by member.
    ...(isQuery ? { subpath: QUERY_SEGMENT } : {}),
    ...(definition.operation_id === undefined || isQuery ? {} : { operationId: definition.operation_id }),
    ...(definition.summary === undefined || definition.summary === '' ? {} : { summary: definition.summary }),
    ...(definition.tags === undefined || definition.tags.length === 0 ? {} : { tags: definition.tags }),
    ...(endpoint.policy === undefined ? {} : { policy: policyOf(endpoint.policy) }),
    ...(scopes === undefined ? {} : { scopes }),
    ...rateLimitsOf(endpoint),
    ...headersOf(endpoint, service, lifecycle),
    ...(formSchema === undefined ? {} : { formSchema }),
    ...(definition.stream === undefined ? {} : { streams: true }),
    ...(itemSchema === undefined ? {} : { itemSchema, itemExample: exampleOf(itemSchema) }),
    ...(endpoint.schemasByStatus.size === 0
      ? {}
      : { responseSchemas: [...endpoint.schemasByStatus].map(([code, schema]) => ({ code, schema })) }),
    ...(request === undefined ? {} : { requestExample: request }),
    ...(response === undefined ? {} : { responseExample: response }),
    ...(lifecycle?.deprecated === undefined && definition.deprecated === undefined
      ? {}
      : { deprecated: lifecycle?.deprecated !== undefined || definition.deprecated === true }),
  };
}

function queryDescription(
  { description = '' }: HostedEndpoint['definition'],
  { route }: HostedService,
): string {
  const collection = pathsOfRoute(route)[0] ?? route;
  const alternative = `\`QUERY ${collection}\` with the same body is the same operation.`;
  return description === '' ? alternative : `${description}\n\n${alternative}`;
}

/** Returns the media types of requests: no form has a list. */
function contentTypesOf({ negotiation: { contentTypes }, requestSchema }: HostedEndpoint): readonly string[] {
  if (requestSchema?.type !== 'array') return contentTypes;
  const others = contentTypes.filter((type) => !acceptsForms([type]));
  return others.length === 0 ? contentTypes : others;
}

/** Returns the schema of a form, where other media types may have a list too; otherwise undefined. */
function formSchemaOf({ negotiation, requestSchema }: HostedEndpoint): JsonSchema | undefined {
  if (!acceptsForms(negotiation.contentTypes)) return undefined;
  const { anyOf: branches, ...others }: JsonSchema = requestSchema ?? {};
  const all = listOf(branches).filter(isSchema);
  const single = all.filter(({ type }) => type !== 'array');
  const [first] = single;
  if (first === undefined || single.length === all.length) return undefined;
  if (single.length > 1) return { ...others, anyOf: single };
  // Shared schemas are recognized by identity.
  return Object.keys(others).length === 0 ? first : { ...others, ...first };
}

/** A collection that can be streamed also responds with pages. */
function acceptTypesOf(
  { definition, itemSchema }: HostedEndpoint,
  { accept }: HostedService,
): readonly string[] {
  const types = definition.stream ?? definition.response_type ?? accept;
  return itemSchema === undefined ? types : [...accept, ...types];
}

/** Returns the media types of successful responses; none without content. */
function responseTypesOf(endpoint: HostedEndpoint, service: HostedService): readonly string[] {
  const { representationSchema, status, schemasByStatus } = endpoint;
  return representationSchema === null && status === 204 && schemasByStatus.size === 0
    ? []
    : acceptTypesOf(endpoint, service);
}

function policyOf({ name, description }: OperationPolicy): PolicyData {
  return { name, description };
}

/** The documented responses of an operation. */
export interface DocumentedResponses {
  readonly statuses: ReadonlySet<number>;
  /** Media types of successful responses. */
  readonly types: ReadonlySet<string>;
}

/** Returns the documented responses of an operation. */
export function documentedResponses(endpoint: HostedEndpoint, service: HostedService): DocumentedResponses {
  return {
    statuses: new Set(statusesOf(endpoint, service).map(({ code }) => code)),
    types: new Set(responseTypesOf(endpoint, service)),
  };
}
