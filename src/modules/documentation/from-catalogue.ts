import { immutable, type Steps } from '../../framework';
import type { HostedApi, HostedService, HostedVersion } from '../hosting';
import { Api } from './model/api';
import type { AdapterData, OperationData, ServiceData, SharedSchemaData } from './model/data';
import { fieldsFromSchema } from './model/fields-from-schema';
import { operationOf } from './operation-of';
import { routeParameters } from './parameters-of';
import { sorted } from './statuses-of';

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
  const operations = service.operations.map((endpoint) => operationOf(endpoint, service, lifecycle));
  const entityOperations = service.entityOperations.map((endpoint) =>
    operationOf(endpoint, service, lifecycle),
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
