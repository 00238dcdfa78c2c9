import { isSchema, dereference } from '../../../framework';
import type { JsonSchema, ParameterData } from '../model/data';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { typeName } from '../model/type-name';
import { jsonExcerpt } from './excerpt';

/** An input of the console. */
interface ConsoleInput {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: unknown;
  readonly example?: unknown;
}

interface ConsoleField extends ConsoleInput {
  readonly type: string;
  /** The members of an object; none if unknown. */
  readonly fields: readonly ConsoleField[];
  /** The items of a list. */
  readonly items?: ConsoleField;
}

/** The description of an operation for the console of a page, as JSON. */
export interface ConsoleDescription {
  readonly method: string;
  /** The URL path; parameters are written `:name`. */
  readonly path: string;
  readonly parameters: readonly ConsoleInput[];
  readonly query: readonly ConsoleInput[];
  readonly headers: readonly ConsoleInput[];
  readonly accept: readonly string[];
  /** Request media types; empty without a body. */
  readonly contentTypes: readonly string[];
  readonly fields: readonly ConsoleField[];
  readonly example?: unknown;
  /** Authentication schemes, strongest first, e.g. `digest`; empty without authentication. */
  readonly schemes: readonly string[];
  /** The realm; the console asks for credentials once per realm. */
  readonly realm: string;
  readonly closed: boolean;
}

/** Fields of a form; larger bodies are edited as text. */
const MAX_FIELDS = 300;
/** Options of a select; longer lists are edited as text. */
const MAX_CHOICES = 300;

/** Describes an operation for the console. */
export function docConsole(service: Service, operation: Operation): ConsoleDescription {
  const api = service.getApi();
  const path = service.getPaths(operation).at(-1) ?? '';
  const adapters = (api?.getAdapters() ?? []).filter(({ name }) => operation.getAdapters().includes(name));
  const given = operation.getRequestExample();
  const example = given === undefined || jsonExcerpt(given) === undefined ? undefined : given;
  const hasBody = operation.getRequestSchema() !== null;
  const fields = hasBody && countOf(operation.getFields()) <= MAX_FIELDS ? operation.getFields() : [];
  return {
    method: operation.getHttpMethod(),
    path: api === null ? path : api.getBaseUrl() + api.getVersionPath() + path,
    parameters: service
      .getRouteParameters()
      .filter(({ name }) => new RegExp(`:${name}(?!\\w)`).test(path))
      .map(inputOf),
    query: operation.getQueryParameters().map(inputOf),
    headers: operation.getRequestHeaders().map(inputOf),
    accept: operation.getResponseContentTypes(),
    contentTypes: hasBody ? operation.getRequestContentTypes() : [],
    fields: fields.map(fieldOf),
    ...(hasBody && example !== undefined ? { example } : {}),
    schemes: adapters.flatMap(({ schemes }) => schemes).sort((a, b) => rank(a) - rank(b)),
    realm: adapters[0]?.realm ?? '',
    closed: operation.requiresAuthorization(),
  };
}

function rank(scheme: string): number {
  const at = ['digest', 'basic'].indexOf(scheme);
  return at < 0 ? Infinity : at;
}

function inputOf({ name, required, description, schema, example }: ParameterData): ConsoleInput {
  const { examples } = schema;
  const first: unknown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  return {
    name,
    required,
    description,
    schema: typeOf(schema),
    ...(first === undefined ? {} : { example: first }),
  };
}

/** Returns the parts of a schema that an input needs; a union of constants is a choice. */
function typeOf({ type, enum: choices, anyOf, oneOf, format }: JsonSchema): JsonSchema {
  const parts: readonly unknown[] = [anyOf ?? oneOf ?? []].flat();
  const values = parts.flatMap((part) => (isSchema(part) && 'const' in part ? [part.const] : []));
  const isChoice = values.length > 0 && values.length === parts.length;
  const all: unknown = choices ?? (isChoice ? values : undefined);
  return { type, enum: Array.isArray(all) && all.length <= MAX_CHOICES ? all : undefined, format };
}

function countOf(fields: readonly Field[]): number {
  return fields.reduce((count, field) => count + 1 + countOf(field.getFields()), 0);
}

function fieldOf(field: Field): ConsoleField {
  return partOf(field, field.getSchema(), field.getType(), 0);
}

/** Nested lists beyond this depth are edited as text: schemas may be recursive. */
const MAX_DEPTH = 4;

/** Describes a field or its items; the members belong to the innermost list. */
function partOf(field: Field, schema: JsonSchema, type: string, depth: number): ConsoleField {
  const resolve = (part: unknown) => dereference(field.getSchema(), part);
  const isList = [schema.type].flat().includes('array');
  const items = isList && depth < MAX_DEPTH && isSchema(schema.items) ? resolve(schema.items) : undefined;
  // Only objects are edited by member; other values as text or JSON.
  const isObject = /^(null or )?object( or null)?$/.test(type);
  return {
    name: field.getName(),
    required: field.isRequired(),
    description: field.getDescription(),
    type,
    schema: { ...typeOf(schema), 'x-file': schema['x-file'] },
    fields: isObject ? field.getFields().map(fieldOf) : [],
    ...(items === undefined ? {} : { items: partOf(field, items, typeName(items, resolve), depth + 1) }),
  };
}
