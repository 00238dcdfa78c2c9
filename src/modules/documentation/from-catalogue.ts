import type { TObject, TSchema } from '@sinclair/typebox';
import { immutable, parametersOf, parsePattern, type Steps } from '../../framework';
import type { HostedApi, HostedEndpoint, HostedService, HostedVersion } from '../hosting';
import { needsUser, type OperationPolicy } from '../mvc-auth';
import { Api } from './model/api';
import type {
  AdapterData,
  JsonSchema,
  OperationData,
  ParameterData,
  PolicyData,
  ServiceData,
  SharedSchemaData,
} from './model/data';
import { exampleOfSchema } from './model/example-of-schema';
import { fieldsFromSchema } from './model/fields-from-schema';
import { headersOf } from './headers-of';
import { sorted, statusesOf } from './statuses-of';

/**
 * The documentation of a version of an API, from the records that requests are served by, in steps: as users are told
 * it, and as guests are, which is the same where nothing is hidden from them.
 */
export function* documentVersion(
  api: HostedApi,
  hosted: HostedVersion,
  baseUrl: string,
): Steps<{ readonly forUsers: Api; readonly forGuests: Api }> {
  const services: ServiceData[] = [];
  for (const service of hosted.services) {
    services.push(immutable(documentService(service, hosted.lifecycle)));
    yield;
  }
  const forUsers = apiOf(api, hosted, services, baseUrl);
  const open = hosted.services.filter(({ visibility }) => visibility === 'public');
  if (open.length === services.length) return { forUsers, forGuests: forUsers };
  const names = new Set(open.map(({ name }) => name));
  const told = services.filter(({ name }) => names.has(name));
  return { forUsers, forGuests: apiOf(api, { ...hosted, services: open }, told, baseUrl) };
}

function apiOf(
  api: HostedApi,
  hosted: HostedVersion,
  services: readonly ServiceData[],
  baseUrl: string,
): Api {
  return new Api({
    name: api.name,
    version: hosted.version,
    description: api.description,
    services,
    schemas: schemasOf(hosted),
    adapters: adaptersOf(hosted.services),
    baseUrl,
    basePath: api.basePath,
    versions: api.versions.map((one) => one.version),
    defaultVersion: api.defaultVersion,
    ...(api.license === undefined ? {} : { license: api.license }),
    ...(api.contact === undefined ? {} : { contact: api.contact }),
  });
}

function schemasOf({ schemas }: HostedVersion): readonly SharedSchemaData[] {
  const uses = new Map<string, SharedSchemaData['uses'][number][]>();
  for (const { name, ...use } of schemas.uses) {
    const others = uses.get(name) ?? [];
    uses.set(name, others);
    others.push(use);
  }
  return Object.entries(schemas.definitions).map(([name, schema]) => ({
    name,
    schema,
    uses: uses.get(name) ?? [],
  }));
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
    responseContentTypes: typesOf([...operations, ...entityOperations], service.accept),
    fields: service.fields === null ? [] : fieldsFromSchema(service.fields),
    operations,
    entityOperations,
    responseStatusCodes: sorted(statuses),
  };
}

/** The types of all answers, those of the service first; its own where nothing is answered. */
function typesOf(operations: readonly OperationData[], accept: readonly string[]): readonly string[] {
  const answered = new Set(operations.flatMap(({ responseContentTypes }) => responseContentTypes));
  if (answered.size === 0) return accept;
  return [
    ...accept.filter((type) => answered.has(type)),
    ...[...answered].filter((type) => !accept.includes(type)),
  ];
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
  const responseTypes = definition.stream ?? definition.response_type ?? service.accept;
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
    ...(endpoint.policy === undefined ? {} : { policy: policyOf(endpoint.policy) }),
    adapters: endpoint.guard?.descriptions.map(({ name }) => name) ?? [],
    acceptTypes: responseTypes,
    contentTypes: endpoint.negotiation.contentTypes,
    responseContentTypes: responseSchema === null && endpoint.status === 204 ? [] : responseTypes,
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

function policyOf({ name, description }: OperationPolicy): PolicyData {
  return { name, description };
}
