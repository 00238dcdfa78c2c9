import type { ParameterData } from '../model/data';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

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
  readonly fields: readonly ConsoleField[];
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

/** Describes an operation for the console. */
export function docConsole(service: Service, operation: Operation): ConsoleDescription {
  const api = service.getApi();
  const path = service.getPaths(operation).at(-1) ?? '';
  const adapters = (api?.getAdapters() ?? []).filter(({ name }) => operation.getAdapters().includes(name));
  const example = operation.getRequestExample();
  const hasBody = operation.getRequestSchema() !== null;
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
    fields: hasBody ? operation.getFields().map(fieldOf) : [],
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
  const { type, enum: choices, format, examples } = schema;
  const first: unknown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  return {
    name,
    required,
    description,
    schema: { type, enum: choices, format },
    ...(first === undefined ? {} : { example: first }),
  };
}

function fieldOf(field: Field): ConsoleField {
  const schema = field.getSchema();
  return {
    name: field.getName(),
    required: field.isRequired(),
    description: field.getDescription(),
    type: field.getType(),
    schema: { type: schema.type, enum: schema.enum, format: schema.format, 'x-file': schema['x-file'] },
    // Members of what is in an array belong to no single place.
    fields: schema.type === 'object' ? field.getFields().map(fieldOf) : [],
  };
}
