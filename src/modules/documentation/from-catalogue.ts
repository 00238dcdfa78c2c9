import type { TObject, TSchema } from '@sinclair/typebox';
import { parametersOf, parsePattern, titleOf } from '../../framework';
import type { HostedApi, HostedEndpoint, HostedService, HostedVersion } from '../hosting';
import { needsUser } from '../mvc-auth';
import { Api } from './model/api';
import type {
  AdapterData,
  JsonSchema,
  OperationData,
  ParameterData,
  ServiceData,
  StatusCodeData,
} from './model/data';
import { exampleOfSchema } from './model/example-of-schema';
import { fieldsFromSchema } from './model/fields-from-schema';
import { conditionalStatuses, headersOf } from './headers-of';

/** The documentation of a version of an API, from the records that requests are served by. */
export function documentVersion(api: HostedApi, hosted: HostedVersion, baseUrl: string): Api {
  const { version, services, lifecycle } = hosted;
  return new Api({
    name: api.name,
    version,
    description: api.description,
    services: services.map((service) => documentService(service, lifecycle)),
    adapters: adaptersOf(services),
    baseUrl,
    basePath: api.basePath,
    versions: api.versions.map((one) => one.version),
    defaultVersion: api.defaultVersion,
    ...(api.license === undefined ? {} : { license: api.license }),
    ...(api.contact === undefined ? {} : { contact: api.contact }),
  });
}

function adaptersOf(services: readonly HostedService[]): readonly AdapterData[] {
  const adapters = services.flatMap(({ guard }) => guard?.descriptions ?? []);
  return [...new Map(adapters.map((adapter) => [adapter.name, adapter])).values()];
}

function documentService(service: HostedService, lifecycle: HostedVersion['lifecycle']): ServiceData {
  const operations = service.operations.map((endpoint) => documentOperation(endpoint, service, lifecycle));
  const entityOperations = service.entityOperations.map((endpoint) =>
    documentOperation(endpoint, service, lifecycle),
  );
  const statuses = [...operations, ...entityOperations].flatMap(
    ({ responseStatusCodes }) => responseStatusCodes,
  );
  return {
    name: service.name,
    kind: service.kind,
    description: service.description,
    route: service.route,
    routeIdentifierName: service.routeIdentifierName,
    routeParameters: routeParameters(service),
    requestAcceptTypes: service.accept,
    requestContentTypes: [...operations, ...entityOperations].some(
      ({ requestSchema }) => requestSchema !== null,
    )
      ? service.contentTypes
      : [],
    responseContentTypes: service.accept,
    fields: service.fields === null ? [] : fieldsFromSchema(service.fields),
    operations,
    entityOperations,
    responseStatusCodes: sorted(statuses),
  };
}

function routeParameters({ route, parameters }: HostedService): readonly ParameterData[] {
  return parametersOf(parsePattern(route).parts).map((name) => {
    const schema: TSchema | undefined = parameters[name];
    return parameterOf(name, 'path', schema ?? { type: 'string' }, true);
  });
}

function parameterOf(
  name: string,
  place: 'path' | 'query',
  schema: JsonSchema,
  required: boolean,
): ParameterData {
  const { description, examples, ...rest } = schema;
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return {
    name,
    in: place,
    description: typeof description === 'string' ? description : '',
    required,
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}

function documentOperation(
  endpoint: HostedEndpoint,
  service: HostedService,
  lifecycle: HostedVersion['lifecycle'],
): OperationData {
  const { definition, method, part, requestSchema, shownSchema: responseSchema } = endpoint;
  const request = definition.examples?.request ?? exampleOf(requestSchema);
  // An author's example is of the plain content.
  const given = responseSchema === endpoint.responseSchema ? definition.examples?.response : undefined;
  const response = given ?? exampleOf(responseSchema);
  return {
    httpMethod: method,
    entity: part === 'entity',
    description: definition.description ?? '',
    requestDescription: definition.request_description ?? '',
    responseDescription: definition.response_description ?? '',
    requiresAuthorization: needsUser(endpoint.access),
    adapters: endpoint.guard?.descriptions.map(({ name }) => name) ?? [],
    acceptTypes: definition.stream ?? service.accept,
    contentTypes: endpoint.negotiation.contentTypes,
    responseContentTypes:
      responseSchema === null && endpoint.status === 204 ? [] : (definition.stream ?? service.accept),
    fields: requestSchema === null ? [] : fieldsFromSchema(requestSchema),
    queryParameters: queryParameters(endpoint.querySchema),
    ...headersOf(endpoint, lifecycle),
    requestSchema,
    responseSchema,
    responseStatusCodes: statusesOf(endpoint, service),
    ...(request === undefined ? {} : { requestExample: request }),
    ...(response === undefined ? {} : { responseExample: response }),
    ...(lifecycle?.deprecated === undefined && definition.deprecated === undefined
      ? {}
      : { deprecated: lifecycle?.deprecated !== undefined || definition.deprecated === true }),
  };
}

function exampleOf(schema: JsonSchema | null): unknown {
  return schema === null ? undefined : exampleOfSchema(schema);
}

function queryParameters({ properties, required = [] }: TObject): readonly ParameterData[] {
  return Object.entries(properties).map(([name, schema]) =>
    parameterOf(name, 'query', schema, required.includes(name)),
  );
}

/** What is told of an operation's answers. */
export interface DocumentedAnswers {
  readonly statuses: ReadonlySet<number>;
  /** Media types of successful answers. */
  readonly types: ReadonlySet<string>;
}

export function documentedAnswers(endpoint: HostedEndpoint, service: HostedService): DocumentedAnswers {
  const { responseStatusCodes, responseContentTypes } = documentOperation(endpoint, service, undefined);
  return {
    statuses: new Set(responseStatusCodes.map(({ code }) => code)),
    types: new Set(responseContentTypes),
  };
}

/** The statuses an operation answers with: its success, and what the listeners before it may refuse. */
function statusesOf(
  endpoint: HostedEndpoint,
  { guard, routeIdentifierName }: HostedService,
): readonly StatusCodeData[] {
  const hasBody = endpoint.requestSchema !== null;
  const hasParameters = endpoint.part === 'entity' && routeIdentifierName !== null;
  const isPaged = endpoint.part === 'collection' && Object.hasOwn(endpoint.querySchema.properties, 'page');
  const codes = [
    endpoint.status,
    400,
    ...(guard === undefined ? [] : [401, 429]),
    ...(needsUser(endpoint.access) && (guard === undefined || Array.isArray(endpoint.access)) ? [403] : []),
    ...(hasParameters || isPaged ? [404] : []),
    406,
    ...conditionalStatuses(endpoint),
    ...(hasBody ? [413, 415, 422] : []),
    ...(endpoint.definition.timeout === undefined ? [] : [503]),
  ];
  return sorted([
    ...codes.map((code) => ({ code, message: titleOf(code) })),
    ...(endpoint.definition.status_codes ?? []),
  ]);
}

/** Rising, each once; what authors say of a status wins. */
function sorted(statuses: readonly StatusCodeData[]): readonly StatusCodeData[] {
  return [...new Map(statuses.map((status) => [status.code, status])).values()].sort(
    (a, b) => a.code - b.code,
  );
}
