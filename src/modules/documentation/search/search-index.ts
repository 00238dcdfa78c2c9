import { securitySchemesOf } from '../../mvc-auth';
import type { Api } from '../model/api';
import type { FieldData } from '../model/data';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import { parametersOfPath } from '../model/route';
import type { Service } from '../model/service';
import { docAnchor, fragmentOf } from '../view-helpers/addresses';
import { operationName } from '../view-helpers/operation-name';
import { responseFields } from '../view-helpers/response-fields';
import { ServiceSchemas } from '../view-helpers/service-schemas';
import { plainText } from './plain-text';
import type { IndexedEntry } from './search-entry';

/** Levels of RPC response fields in the index: some responses have thousands of fields. */
const RESPONSE_LEVELS = 1;

/** Words for what a method does. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'get show read fetch retrieve view find',
  POST: 'post create add new insert',
  PUT: 'put replace update set edit change save',
  PATCH: 'patch update edit change modify',
  DELETE: 'delete remove destroy',
};

const LIST_VERBS = 'list browse query all';

/**
 * Yields the search entries of APIs, their services, operations, schemas and fields.
 * @param home the URL path of the list, e.g. `/platform/documentation`
 */
export function* searchIndexOf(apis: readonly Api[], home: string): Generator<IndexedEntry, void> {
  for (const api of apis) {
    const versionUrl = `${home}/${encodeURIComponent(api.getName())}-v${api.getVersion()}`;
    const within = `${api.getName()} v${api.getVersion()}`;
    const aside = api.getVersion() === api.getDefaultVersion() ? {} : { aside: true as const };
    const schemas = new Set<string>();
    yield {
      kind: 'api',
      title: api.getName(),
      within: `v${api.getVersion()}`,
      url: versionUrl,
      statuses: schemesOf(api, () => true),
      text: plainText(api.getDescription()),
      ...aside,
    };
    for (const service of api.getServices()) {
      for (const entry of entriesOf(api, service, versionUrl, within)) {
        // A schema is described by the pages of several services.
        if (entry.kind === 'schema' && schemas.has(entry.title)) continue;
        if (entry.kind === 'schema') schemas.add(entry.title);
        yield { ...entry, ...aside };
      }
    }
  }
}

function* entriesOf(api: Api, service: Service, above: string, within: string): Generator<IndexedEntry> {
  const url = `${above}/${encodeURIComponent(service.getName())}`;
  const inside = `${within} › ${service.getName()}`;
  yield {
    kind: 'service',
    title: service.getName(),
    within,
    url,
    names: [service.getRoute(), ...service.getTags()].join(' '),
    text: plainText(service.getDescription()),
  };
  for (const operation of [...service.getOperations(), ...service.getEntityOperations()])
    yield operationEntry(api, service, operation, url, inside);
  for (const name of new ServiceSchemas(service).names)
    yield { kind: 'schema', title: name, within, url: `${url}#schema-${fragmentOf(name)}`, text: '' };
  for (const { path, id, field } of fieldsOf(service.getKind() === 'rpc' ? [] : service.getFields(), '')) {
    yield {
      kind: 'field',
      title: path,
      within: inside,
      url: `${url}#${id}`,
      names: field.getType(),
      text: plainText(field.getDescription()),
    };
  }
}

function operationEntry(
  api: Api,
  service: Service,
  operation: Operation,
  url: string,
  within: string,
): IndexedEntry {
  const [method, summary] = [operation.getHttpMethod(), operation.getSummary()];
  const path = service.getPaths(operation).at(-1) ?? '';
  const names = [
    ...service.getTags(),
    ...operation.getTags(),
    ...parametersOfPath(path),
    ...operation.getQueryParameters().map(({ name }) => name),
    ...fieldsOf(operation.getFields(), '').map((place) => place.path),
    ...namesOf(responseFields(service, operation, RESPONSE_LEVELS)),
  ];
  return {
    kind: 'operation',
    title: summary === '' ? `${method} ${path}` : summary,
    within,
    url: `${url}#${docAnchor(service, operation)}`,
    text: plainText(operation.getDescription()),
    method,
    path,
    route: `${api.getBaseUrl()}${api.getVersionPath()}${path}`,
    names: [...new Set(names)].join(' '),
    verbs: verbsOf(service, operation, path),
    subject: subjectOf(path),
    operation: `${operationName(service, operation)} ${operation.getOperationId()}`.trim(),
    statuses: [
      ...operation.getResponseStatusCodes().map(({ code }) => String(code)),
      schemesOf(api, (name) => operation.getAdapters().includes(name)),
    ].join(' '),
    ...(operation.isDeprecated() ? { deprecated: true as const } : {}),
  };
}

/** Words for what an operation does. A procedure whose path ends with a name lists what is below it. */
function verbsOf(service: Service, operation: Operation, path: string): string {
  const method = operation.getSubpath() === '' ? operation.getHttpMethod() : 'GET';
  const verbs = VERBS[method] ?? method.toLowerCase();
  const isList = service.getKind() === 'rest' ? !operation.isEntity() : !/\/:[^/]*$/.test(path);
  return method === 'GET' && isList ? `${LIST_VERBS} ${verbs}` : verbs;
}

/** The last segment of a path that is not a parameter. */
function subjectOf(path: string): string {
  return (
    path
      .split('/')
      .filter((segment) => segment !== '' && !segment.startsWith(':'))
      .at(-1) ?? ''
  );
}

/** The authentication schemes of adapters, such as `digest`, and where keys are sent. */
function schemesOf(api: Api, isUsed: (adapter: string) => boolean): string {
  const used = api.getAdapters().filter(({ name }) => isUsed(name));
  const words = used.flatMap(securitySchemesOf).map((one) => {
    if (one.type === 'http') return one.scheme;
    return one.type === 'apiKey' ? `apiKey ${one.name}` : `${one.type} bearer`;
  });
  return [...new Set(words)].join(' ');
}

/** Returns every name of a tree. */
function namesOf(fields: readonly FieldData[]): readonly string[] {
  return fields.flatMap(({ name, fields: inner = [] }) => [name, ...namesOf(inner)]);
}

/** A field with its path, and its fragment in the page of its service. */
interface FieldPlace {
  readonly path: string;
  readonly id: string;
  readonly field: Field;
}

/** Flattens a tree of fields. */
function fieldsOf(fields: readonly Field[], above: string, aboveId = 'fields'): readonly FieldPlace[] {
  return fields.flatMap((field) => {
    const path = `${above}${field.getName()}`;
    const id = `${aboveId}.${fragmentOf(field.getName())}`;
    return [{ path, id, field }, ...fieldsOf(field.getFields(), `${path}.`, id + itemsOf(field.getType()))];
  });
}

/** The fragment of the items of an array, or of the values of a map. */
function itemsOf(type: string): string {
  const [lists = ''] = /^(array of |map of )*/.exec(type) ?? [];
  return lists.replaceAll('array of ', '.items').replaceAll('map of ', '.values1');
}
