import type { Steps } from '../../../framework';
import type { HostedApi, HostedEndpoint, HostedService, HostedVersion } from '../../hosting';
import { Api, type DeferredApi } from '../model/api';
import { DeferredService } from '../model/deferred-service';
import { Service } from '../model/service';
import type {
  AdapterData,
  ApiData,
  FieldData,
  OperationData,
  ServiceData,
  SharedSchemaData,
} from '../model/data';
import { checkDocumentable } from './check-documentable';
import { operationOf } from './operation-of';
import { routeParameters } from './parameters-of';
import { schemaReadings } from './schema-readings';
import { OccurringSchemas, sharedSchemas } from './shared-schemas';
import { sortStatuses } from './statuses-of';

/** Where an API is served. */
export type Addresses = Pick<ApiData, 'baseUrl' | 'publicUrl'>;

/**
 * Documents a version of an API: for users and for guests, or with one object for both if nothing is hidden from guests.
 * The documentation of a service is built from its compiled endpoints when it is first used, and that of an API whose
 * services are compiled on first use as well.
 *
 * @throws ConfigurationError for a service that cannot be documented
 */
export function* documentVersion(
  api: HostedApi,
  hosted: HostedVersion,
  addresses: Addresses,
): Steps<{ readonly forUsers: Api; readonly forGuests: Api }> {
  if (api.isDeferred) {
    const build: DeferredApi['build'] = () => ({
      data: dataOf(api, hosted, sharedSchemas(hosted), addresses),
      services: hosted.services.map((service) => deferredService(service, hosted)),
    });
    const forAll = new Api({ ...entryOf(api, hosted), build });
    return { forUsers: forAll, forGuests: forAll };
  }
  const services: DeferredService[] = [];
  const open = hosted.services.filter(({ visibility }) => visibility === 'public');
  const schemasOfGuests = new OccurringSchemas();
  for (const service of hosted.services) {
    if (open.length < hosted.services.length && service.visibility === 'public') schemasOfGuests.add(service);
    services.push(deferredService(service, hosted));
    yield;
  }
  const schemas = sharedSchemas(hosted);
  const forUsers = new Api(dataOf(api, hosted, schemas, addresses), services);
  if (open.length === services.length) return { forUsers, forGuests: forUsers };
  const names = new Set(open.map(({ name }) => name));
  const publicServices = services.filter(({ name }) => names.has(name));
  const shown = schemasOfGuests.among(schemas);
  const data = dataOf(api, { ...hosted, services: open }, shown, addresses);
  return { forUsers, forGuests: new Api(data, publicServices) };
}

/** @throws ConfigurationError for a service that cannot be documented */
function deferredService(service: HostedService, { lifecycle }: HostedVersion): DeferredService {
  const isPlain = checkDocumentable(service);
  return new DeferredService(service.name, () => documentService(service, lifecycle), isPlain);
}

function entryOf(api: HostedApi, { version }: HostedVersion): Omit<DeferredApi, 'build'> {
  return {
    name: api.name,
    version,
    versions: api.versions.map((one) => one.version),
    defaultVersion: api.defaultVersion,
  };
}

function dataOf(
  api: HostedApi,
  hosted: HostedVersion,
  schemas: readonly SharedSchemaData[],
  addresses: Addresses,
): ApiData {
  return {
    ...entryOf(api, hosted),
    description: api.description,
    services: [],
    schemas,
    adapters: adaptersOf(hosted.services),
    ...addresses,
    basePath: api.basePath,
    releaseNotes: hosted.release.notes,
    ...(hosted.release.date === undefined ? {} : { releaseDate: hosted.release.date }),
    ...(api.license === undefined ? {} : { license: api.license }),
    ...(api.contact === undefined ? {} : { contact: api.contact }),
  };
}

function adaptersOf(services: readonly HostedService[]): readonly AdapterData[] {
  const adapters = services.flatMap(({ guard }) => guard?.descriptions ?? []);
  return [...new Map(adapters.map((adapter) => [adapter.name, adapter])).values()];
}

/** Builds the documentation of a single service. */
export function serviceDocumentation(service: HostedService): Service {
  return new Service(documentService(service, undefined));
}

function documentService(service: HostedService, lifecycle: HostedVersion['lifecycle']): ServiceData {
  const readings = schemaReadings();
  const documented = (endpoint: HostedEndpoint): OperationData =>
    operationOf(endpoint, service, lifecycle, readings);
  const operations = service.operations.map(documented);
  const entityOperations = service.entityOperations.map(documented);
  const all = [...operations, ...entityOperations];
  const responseContentTypes = typesOf(all, 'responseContentTypes', service.accept);
  return {
    name: service.name,
    kind: service.kind,
    description: service.description,
    ...(service.tags.length === 0 ? {} : { tags: service.tags }),
    route: service.route,
    routeIdentifierName: service.routeIdentifierName,
    ...(service.routeIdentifierNames.length > 1
      ? { routeIdentifierNames: service.routeIdentifierNames }
      : {}),
    routeParameters: routeParameters(service),
    requestAcceptTypes: typesOf(all, 'acceptTypes', service.accept),
    requestContentTypes: typesOf(all, 'contentTypes', service.contentTypes),
    responseContentTypes: responseContentTypes.length === 0 ? service.accept : responseContentTypes,
    fields: service.fields === null ? fieldsOf(all) : readings.fieldsOf(service.fields),
    ...(service.fields === null ? {} : { schema: service.fields }),
    operations,
    entityOperations,
    responseStatusCodes: sortStatuses(all.flatMap(({ responseStatusCodes }) => responseStatusCodes)),
  };
}

/**
 * Returns the media types of all operations: those of the service that an operation uses, in the order of the
 * service, then those of single operations, such as streams or pictures.
 */
function typesOf(
  operations: readonly OperationData[],
  member: 'acceptTypes' | 'contentTypes' | 'responseContentTypes',
  own: readonly string[],
): readonly string[] {
  const used = new Set<string>();
  for (const operation of operations) for (const type of operation[member]) used.add(type);
  // Mostly all of its own, which operations share.
  if (used.size === own.length && [...used].every((type) => own.includes(type))) return own;
  return [...new Set([...own.filter((type) => used.has(type)), ...used])];
}

/**
 * Returns the request fields of the operations of an RPC service, unique by name. A field is required if every
 * operation with a body requires it.
 */
function fieldsOf(operations: readonly OperationData[]): readonly FieldData[] {
  const lists = operations.filter(({ requestSchema }) => requestSchema !== null).map(({ fields }) => fields);
  const names = new Set(lists.flatMap((fields) => fields.map(({ name }) => name)));
  return [...names].flatMap((name) => {
    const alike = lists.flatMap((fields) => fields.find((field) => field.name === name) ?? []);
    const [first] = alike;
    const required = alike.length === lists.length && alike.every((field) => field.required);
    return first === undefined ? [] : [{ ...first, required }];
  });
}
