import type { Steps } from '../../../framework';
import type { Api, Operation, Service } from '../../documentation';
import { Components } from './components';
import { OperationIds } from './operation-id';
import { operationObject } from './operation';
import { pathItemsOf, type PathItems } from './path-items';
import { securitySchemesOf } from './security';
import { nameSchemasOf } from './schema-names';

/** An object of JSON, with members that OpenAPI defines. */
type JsonObject = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: JsonObject;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly JsonObject[];
  readonly paths: PathItems;
  readonly components: JsonObject;
}

/** A service with the names that it goes by in one document. */
interface Entry {
  readonly service: Service;
  readonly api: Api;
  readonly tag: string;
  /** Stands before the names of its component schemas. */
  readonly componentName: string;
}

/**
 * The OpenAPI 3.1 document of one version of an API, an operation at each step.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 * @example
 * JSON.stringify(atOnce(openapiOfApi(api))); // '{"openapi":"3.1.1","info":{"title":"Atlas","version":"2",…'
 */
export function openapiOfApi(api: Api): Steps<OpenApiDocument> {
  const entries = api.getServices().map((service) => entryOf(api, service));
  return documentOf(infoOf(api), [api], entries);
}

/** The OpenAPI 3.1 document of one service of an API. */
export function openapiOfService(api: Api, service: Service): Steps<OpenApiDocument> {
  const title = `${api.getName()} ${service.getName()}`;
  return documentOf({ ...infoOf(api), title }, [api], [entryOf(api, service)]);
}

/**
 * The OpenAPI 3.1 document of all APIs, each in its default version; other versions in the list are left out.
 * Tags and component names carry the API's name, the operations' ids are those of the other documents.
 */
export function openapiOfList(apis: readonly Api[]): Steps<OpenApiDocument> {
  const shown = apis.filter((api) => api.getVersion() === api.getDefaultVersion());
  const versions = shown.map((api) => `${api.getName()}-v${api.getVersion()}`);
  const info = {
    title: 'All APIs',
    version: versions.length === 0 ? '0' : versions.join(' '),
    description: 'Every API of this server, each in its default version.',
    ...sharedOf('license', shown),
    ...sharedOf('contact', shown),
  };
  const entries = shown.flatMap((api) =>
    api.getServices().map((service) => ({
      service,
      api,
      tag: `${api.getName()} ${service.getName()}`,
      componentName: `${api.getName()}_${service.getName()}`,
    })),
  );
  return documentOf(info, shown, entries);
}

function entryOf(api: Api, service: Service): Entry {
  return { service, api, tag: service.getName(), componentName: service.getName() };
}

function infoOf(api: Api): JsonObject {
  const license = api.getLicense();
  const contact = api.getContact();
  return {
    title: api.getName(),
    version: String(api.getVersion()),
    ...(api.getDescription() === '' ? {} : { description: api.getDescription() }),
    ...(license === null ? {} : { license }),
    ...(contact === null ? {} : { contact }),
  };
}

/** The licence or the contact of the list, where all of its APIs have the same. */
function sharedOf(member: 'license' | 'contact', apis: readonly Api[]): JsonObject {
  const all = apis.map((api) => (member === 'license' ? api.getLicense() : api.getContact()));
  const [first = null] = all;
  const text = JSON.stringify(first);
  return first !== null && all.every((one) => JSON.stringify(one) === text) ? { [member]: first } : {};
}

function* documentOf(
  info: JsonObject,
  apis: readonly Api[],
  entries: readonly Entry[],
): Steps<OpenApiDocument> {
  const components = new Components(
    entries.map(({ componentName }) => componentName),
    apis.map((api) => api.getSchemas()),
  );
  const ids = new OperationIds();
  for (const entry of entries) yield* nameSchemasOf(entry.service, entry.componentName, components);
  const items: PathItems[] = [];
  for (const { api, service, tag } of entries) {
    const describe = (operation: Operation, path: string): unknown =>
      operationObject(
        { api, service, operation, path, tag, id: ids.next(api, service, operation, path) },
        components,
      );
    items.push(yield* pathItemsOf(api, service, describe));
  }
  yield* components.complete();
  const securitySchemes = securitySchemesOf(apis, entries);
  const baseUrl = apis[0]?.getBaseUrl() ?? '';
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
    tags: entries.map(({ service, tag }) => ({
      name: tag,
      ...(service.getDescription() === '' ? {} : { description: service.getDescription() }),
    })),
    paths: mergePaths(items),
    components: {
      schemas: components.schemas(),
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
}

/** Two services may share a path and divide the methods among them. */
function mergePaths(all: readonly PathItems[]): PathItems {
  const merged = new Map<string, JsonObject>();
  for (const items of all) {
    for (const [path, item] of Object.entries(items)) merged.set(path, { ...item, ...merged.get(path) });
  }
  return Object.fromEntries(merged);
}
