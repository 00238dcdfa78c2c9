import type { Steps } from '../../../framework';
import type { Api, Operation, Service } from '../../documentation';
import { Components } from './components/components';
import { OperationIds } from './operation-id';
import { operationObject } from './operation';
import { mergePaths, type ServicePaths } from './merge-paths';
import { pathItemsOf, type PathItems } from './path-items';
import { securitySchemesOf } from './security';
import { nameSchemasOf } from './components/schema-names';

/** An OpenAPI object. */
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

/** A service with its names in one document. */
interface Entry {
  readonly service: Service;
  readonly api: Api;
  /** Returns the tags of an operation. */
  readonly tagsOf: (operation: Operation) => readonly string[];
  /** Prefix of the names of its component schemas. */
  readonly componentName: string;
}

/**
 * Builds the OpenAPI 3.1 document of one version of an API, in steps of one operation.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 * @example
 * JSON.stringify(runSync(openapiOfApi(api))); // '{"openapi":"3.1.1","info":{"title":"Atlas","version":"2",…'
 */
export function openapiOfApi(api: Api): Steps<OpenApiDocument> {
  const entries = api.getServices().map((service) => entryOf(api, service));
  return documentOf(infoOf(api), [api], entries);
}

/** Builds the OpenAPI 3.1 document of one service of an API. */
export function openapiOfService(api: Api, service: Service): Steps<OpenApiDocument> {
  const title = `${api.getName()} ${service.getName()}`;
  return documentOf({ ...infoOf(api), title }, [api], [entryOf(api, service)]);
}

/**
 * Builds the OpenAPI 3.1 document of all APIs, each in its default version.
 * Tags and component names include the API's name; operation ids are the same as in the other documents.
 */
export function openapiOfList(apis: readonly Api[]): Steps<OpenApiDocument> {
  const included = apis.filter((api) => api.getVersion() === api.getDefaultVersion());
  const versions = included.map((api) => `${api.getName()}-v${api.getVersion()}`);
  const info = {
    title: 'All APIs',
    version: versions.length === 0 ? '0' : versions.join(' '),
    description: 'All APIs of this server, each in its default version.',
    ...sharedOf('license', included),
    ...sharedOf('contact', included),
  };
  const entries = included.flatMap((api) =>
    api.getServices().map((service) => ({
      service,
      api,
      tagsOf: (operation: Operation) => tagsOf(service, operation).map((tag) => `${api.getName()} ${tag}`),
      componentName: `${api.getName()}_${service.getName()}`,
    })),
  );
  return documentOf(info, included, entries);
}

function entryOf(api: Api, service: Service): Entry {
  return { service, api, tagsOf: (one) => tagsOf(service, one), componentName: service.getName() };
}

function tagsOf(service: Service, operation: Operation): readonly string[] {
  const tags = [operation.getTags(), service.getTags()].find((list) => list.length > 0);
  return tags ?? [service.getName()];
}

function infoOf(api: Api): JsonObject {
  const license = api.getLicense();
  const contact = api.getContact();
  return {
    title: api.getName(),
    version: String(api.getVersion()),
    description: api.getDescription(),
    ...(license === null ? {} : { license }),
    ...(contact === null ? {} : { contact }),
  };
}

/** Returns the licence or contact that all APIs have in common. */
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
  const items: ServicePaths[] = [];
  const tags = tagObjects(entries);
  for (const { api, service, tagsOf: tagsOfOperation } of entries) {
    const describe = (operation: Operation, path: string): unknown =>
      operationObject(
        {
          api,
          service,
          operation,
          path,
          tags: tagsOfOperation(operation),
          id: ids.next(api, service, operation, path),
        },
        components,
      );
    const isDescribed = tags.some(({ description }) => description === service.getDescription());
    const paths = yield* pathItemsOf(api, service, describe, isDescribed ? '' : service.getDescription());
    items.push({ route: service.getRoute(), paths });
  }
  yield* components.complete();
  const securitySchemes = securitySchemesOf(apis, entries);
  const server = `${apis[0]?.getPublicUrl() ?? ''}${apis[0]?.getBaseUrl() ?? ''}`;
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: server === '' ? '/' : server }],
    tags,
    paths: mergePaths(items),
    components: {
      schemas: components.schemas(),
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
}

/**
 * Returns the tags of all operations. A tag is described if the services whose first tag it is have the same
 * description.
 */
function tagObjects(entries: readonly Entry[]): readonly JsonObject[] {
  const descriptions = new Map<string, Set<string>>();
  for (const { service, tagsOf: tagsOfOperation } of entries) {
    for (const operation of [...service.getOperations(), ...service.getEntityOperations()]) {
      const tags = tagsOfOperation(operation);
      for (const tag of tags) if (!descriptions.has(tag)) descriptions.set(tag, new Set());
      // The description of a service does not describe the tags of single operations.
      if (operation.getTags().length === 0) descriptions.get(tags[0] ?? '')?.add(service.getDescription());
    }
  }
  return [...descriptions].map(([name, texts]) => {
    const [description = ''] = texts;
    return { name, ...(texts.size === 1 && description !== '' ? { description } : {}) };
  });
}
