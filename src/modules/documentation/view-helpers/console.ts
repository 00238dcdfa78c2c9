import { isSchema, resolvedSchema } from '../../../framework';
import type { JsonSchema, ParameterData } from '../model/data';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { typeName } from '../model/type-name';
import { jsonExcerpt } from './excerpt';

/** A value that a reader may fill in. */
interface ConsoleInput {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: unknown;
  readonly example?: unknown;
}

interface ConsoleField extends ConsoleInput {
  readonly type: string;
  /** The members of an object; none where there is no telling which it has. */
  readonly fields: readonly ConsoleField[];
  /** What each place of a list takes. */
  readonly items?: ConsoleField;
}

/** What the console of a page has to know of an operation, to be written as JSON. */
export interface ConsoleDescription {
  readonly method: string;
  /** Behind the origin; parameters are written `:name`. */
  readonly path: string;
  readonly parameters: readonly ConsoleInput[];
  readonly query: readonly ConsoleInput[];
  readonly headers: readonly ConsoleInput[];
  readonly accept: readonly string[];
  /** Media types of bodies; none where there is no body. */
  readonly contentTypes: readonly string[];
  readonly fields: readonly ConsoleField[];
  readonly example?: unknown;
  /** What it takes, strongest first, e.g. `digest`; none where credentials are not looked at. */
  readonly schemes: readonly string[];
  /** Whose credentials: those of one realm are asked for once. */
  readonly realm: string;
  readonly closed: boolean;
}

/** Fields that a form has at most; a body of more is written as text. */
const MOST_FIELDS = 300;
/** Values to choose from; one of more is written as text. */
const MOST_CHOICES = 300;

/** Describes an operation for the console. */
export function docConsole(service: Service, operation: Operation): ConsoleDescription {
  const api = service.getApi();
  const path = service.getPaths(operation).at(-1) ?? '';
  const adapters = (api?.getAdapters() ?? []).filter(({ name }) => operation.getAdapters().includes(name));
  const given = operation.getRequestExample();
  const example = given === undefined || jsonExcerpt(given) === undefined ? undefined : given;
  const hasBody = operation.getRequestSchema() !== null;
  const fields = hasBody && countOf(operation.getFields()) <= MOST_FIELDS ? operation.getFields() : [];
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

/** What an input has to know of a schema; a union of single values is a choice among them. */
function typeOf({ type, enum: choices, anyOf, oneOf, format }: JsonSchema): JsonSchema {
  const parts: readonly unknown[] = [anyOf ?? oneOf ?? []].flat();
  const values = parts.flatMap((part) => (isSchema(part) && 'const' in part ? [part.const] : []));
  const isChoice = values.length > 0 && values.length === parts.length;
  const all: unknown = choices ?? (isChoice ? values : undefined);
  return { type, enum: Array.isArray(all) && all.length <= MOST_CHOICES ? all : undefined, format };
}

function countOf(fields: readonly Field[]): number {
  return fields.reduce((count, field) => count + 1 + countOf(field.getFields()), 0);
}

function fieldOf(field: Field): ConsoleField {
  return partOf(field, field.getSchema(), field.getType(), 0);
}

/** Lists in lists that are deeper are written as text: a schema may refer to itself. */
const DEEPEST = 4;

/** A field, or what each of its places takes: the members of what is in lists belong to the innermost. */
function partOf(field: Field, schema: JsonSchema, type: string, depth: number): ConsoleField {
  const resolve = (part: unknown) => resolvedSchema(field.getSchema(), part);
  const isList = [schema.type].flat().includes('array');
  const items = isList && depth < DEEPEST && isSchema(schema.items) ? resolve(schema.items) : undefined;
  // A form of members is for what is an object whatever else; the rest is written as text or JSON.
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
