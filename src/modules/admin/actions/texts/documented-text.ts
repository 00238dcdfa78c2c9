import { isObject, memberAt } from '../../../../framework';
import type { ServicePart } from '../../../hosting';
import { declaredAt } from './declared-api';
import { describedMembers } from './described-members';

/** A text of the documentation with its paths in the API's definition. */
export interface DocumentedText {
  /** What it describes. */
  readonly kind: 'api' | 'service' | 'operation' | 'request' | 'response' | 'parameter' | 'field' | 'schema';
  /** The name of the parameter, field or shared schema; empty for the others. */
  readonly name: string;
  /** The current text; empty if there is none. */
  readonly text: string;
  /** In the API's definition; a field may be described in both the request and the response. */
  readonly paths: readonly (readonly string[])[];
}

/** The texts of one operation. */
export interface OperationTexts {
  readonly part: ServicePart;
  readonly method: string;
  readonly texts: readonly DocumentedText[];
}

/** The texts of one service. */
export interface ServiceTexts {
  readonly name: string;
  readonly texts: readonly DocumentedText[];
  readonly operations: readonly OperationTexts[];
  readonly fields: readonly DocumentedText[];
}

/** The texts of a shared schema of a version. */
export interface SchemaTexts {
  readonly name: string;
  /** The text of the schema, then those of its fields. */
  readonly texts: readonly DocumentedText[];
}

/** Returns the description of an API. */
export function apiText(definition: unknown): DocumentedText {
  return textAt(definition, 'api', '', ['description']);
}

/** Returns every text of a service of a version. @param definition of the API */
export function serviceTexts(definition: unknown, version: number, name: string): ServiceTexts {
  const path = ['versions', String(version), 'services', name];
  const service = memberAt(definition, path);
  const parameters = declaredAt(definition, [...path, 'parameters']);
  const filters = declaredAt(definition, [...path, 'sql_filters']);
  const parts = ['collection', 'entity', 'methods'] as const;
  const operations = parts.flatMap((key) =>
    Object.keys(objectAt(service, key)).map((method) => ({
      part: key === 'methods' ? ('rpc' as const) : key,
      method,
      path: [...path, key, method],
    })),
  );
  return {
    name,
    texts: [
      textAt(definition, 'service', '', [...path, 'description']),
      ...Object.keys(objectAt(service, 'parameters')).map((parameter) =>
        textAt(definition, 'parameter', parameter, [...parameters, parameter, 'description']),
      ),
      ...Object.keys(objectAt(service, 'sql_filters')).map((filter) =>
        textAt(definition, 'parameter', filter, [...filters, filter, 'description']),
      ),
    ],
    operations: operations.map(({ part, method, path: operationPath }) => ({
      part,
      method,
      texts: operationTexts(definition, operationPath),
    })),
    fields: mergeEqual([
      ...columnTexts(definition, path),
      ...[[...path, 'fields'], [...path, 'input'], ...operations.flatMap(schemasOf)].flatMap((schema) =>
        memberTexts(definition, 'field', schema),
      ),
    ]),
  };
}

/** Returns the names of the shared schemas of a version. @param definition of the API */
export function sharedSchemaNames(definition: unknown, version: number): readonly string[] {
  return Object.keys(objectAt(memberAt(definition, ['versions', String(version)]), 'schemas'));
}

/** Returns the texts of a shared schema of a version. @param definition of the API */
export function sharedSchemaTexts(definition: unknown, version: number, name: string): SchemaTexts {
  const path = ['versions', String(version), 'schemas', name];
  const description = [...declaredAt(definition, path), 'description'];
  return {
    name,
    texts: [textAt(definition, 'schema', name, description), ...memberTexts(definition, 'field', path)],
  };
}

/** Returns the paths of the texts of a service or schema, or of the API itself. @param path of one, or of anything else */
export function textPathsOf(
  definition: unknown,
  [, version, part, name = '']: readonly string[],
): readonly (readonly string[])[] {
  if (part === undefined) return apiText(definition).paths;
  if (part === 'schemas') return pathsOf(sharedSchemaTexts(definition, Number(version), name).texts);
  if (part !== 'services') return [];
  const { texts, operations, fields } = serviceTexts(definition, Number(version), name);
  return pathsOf([...texts, ...operations.flatMap((one) => one.texts), ...fields]);
}

function pathsOf(texts: readonly DocumentedText[]): readonly (readonly string[])[] {
  return texts.flatMap(({ paths }) => paths);
}

/** Returns the paths of an operation's own request and response schemas. */
function schemasOf({ path }: { readonly path: readonly string[] }): readonly (readonly string[])[] {
  return [
    [...path, 'fields'],
    [...path, 'response'],
  ];
}

function operationTexts(definition: unknown, path: readonly string[]): readonly DocumentedText[] {
  return [
    textAt(definition, 'operation', '', [...path, 'description']),
    textAt(definition, 'request', '', [...path, 'request_description']),
    textAt(definition, 'response', '', [...path, 'response_description']),
    ...memberTexts(definition, 'parameter', [...path, 'query']),
  ];
}

/** The texts of a service over a table, whose fields follow from its columns. */
function columnTexts(definition: unknown, path: readonly string[]): readonly DocumentedText[] {
  const columns = declaredAt(definition, [...path, 'columns']);
  return Object.entries(objectAt(memberAt(definition, path), 'columns')).flatMap(([name, column]) => {
    if (!isObject(column)) return [];
    const at = [...columns, name];
    const nested = describedMembers(column.schema).map((member) => ({
      kind: 'field' as const,
      name: `${name}${member.name.startsWith('[]') ? '' : '.'}${member.name}`,
      text: member.description,
      paths: [[...at, 'schema', ...member.path, 'description']],
    }));
    return [textAt(definition, 'field', name, [...at, 'description']), ...nested];
  });
}

function memberTexts(
  definition: unknown,
  kind: DocumentedText['kind'],
  of: readonly string[],
): readonly DocumentedText[] {
  const schema = declaredAt(definition, of);
  return describedMembers(memberAt(definition, schema)).map(({ name, path, description }) => ({
    kind,
    name,
    text: description,
    paths: [[...schema, ...path, 'description']],
  }));
}

/** Merges fields with the same name and text, so that they are edited once. */
function mergeEqual(texts: readonly DocumentedText[]): readonly DocumentedText[] {
  const found = new Map<string, DocumentedText>();
  for (const text of texts) {
    const key = JSON.stringify([text.name, text.text]);
    const other = found.get(key);
    found.set(key, other === undefined ? text : { ...other, paths: [...other.paths, ...text.paths] });
  }
  return [...found.values()];
}

function textAt(
  definition: unknown,
  kind: DocumentedText['kind'],
  name: string,
  path: readonly string[],
): DocumentedText {
  const text = memberAt(definition, path);
  return { kind, name, text: typeof text === 'string' ? text : '', paths: [path] };
}

function objectAt(value: unknown, key: string): object {
  const member = memberAt(value, [key]);
  return typeof member === 'object' && member !== null ? member : {};
}
