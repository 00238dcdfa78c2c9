import type { ParameterData } from '../model/data';
import { describeSchema } from '../model/schema/describe-schema';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { bodyField, inputSchema, itemsField, type ConsoleField, type ConsoleInput } from './console-fields';
import { jsonExcerpt } from './excerpt';

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
  /** The members and alternatives of the body; absent if it is edited as text only. */
  readonly body?: ConsoleField;
  readonly example?: unknown;
  /** Authentication schemes, strongest first, e.g. `digest`; empty without authentication. */
  readonly schemes: readonly string[];
  /** The realm; the console asks for credentials once per realm. */
  readonly realm: string;
  readonly closed: boolean;
}

/** Describes an operation for the console. */
export function docConsole(service: Service, operation: Operation): ConsoleDescription {
  const api = service.getApi();
  const path = service.getPaths(operation).at(-1) ?? '';
  const adapters = (api?.getAdapters() ?? []).filter(({ name }) => operation.getAdapters().includes(name));
  const declared = operation.getRequestExample();
  const example = declared === undefined || jsonExcerpt(declared) === undefined ? undefined : declared;
  const schema = operation.getRequestSchema();
  const body = schema === null ? undefined : bodyField(schema);
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
    contentTypes: schema === null ? [] : operation.getRequestContentTypes(),
    ...(body === undefined ? {} : { body }),
    ...(schema !== null && example !== undefined ? { example } : {}),
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
  const described = describeSchema(schema);
  const first = example ?? described.example;
  const items = itemsField(name, described);
  return {
    name,
    required,
    description,
    schema: inputSchema(described),
    ...(first === undefined ? {} : { example: first }),
    ...(items === undefined ? {} : { items }),
  };
}
