import type { ParameterData } from '../model/data';
import { describeSchema } from '../model/schema/describe-schema';
import type { Operation } from '../model/operation';
import { parametersOfPath } from '../model/route';
import type { Service } from '../model/service';
import { securitySchemesOf, type SecurityScheme } from '../../mvc-auth';
import { adaptersOf } from './security';
import { bodyField, inputSchema, itemsField, type ConsoleField, type ConsoleInput } from './console-fields';
import { jsonExcerpt } from '../text/excerpt';

/** The description of an operation for the console of a page, as JSON. */
export interface ConsoleDescription {
  readonly method: string;
  /** The URL paths, without and with optional parts, the longest last; parameters are written `:name`. */
  readonly paths: readonly string[];
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
  /** Tokens and keys that are accepted; empty for none. */
  readonly tokens: readonly ConsoleToken[];
  /** The realm of the strongest scheme; the console asks for credentials once per realm. */
  readonly realm: string;
  readonly closed: boolean;
}

/** A token or key that a console sends as it is. */
interface ConsoleToken {
  readonly kind: 'bearer' | 'apiKey';
  /** The adapter's. */
  readonly realm: string;
  readonly in: 'header' | 'query';
  readonly name: string;
  /** Before the token in the field. */
  readonly prefix: string;
}

/** Describes an operation for the console. */
export function docConsole(service: Service, operation: Operation): ConsoleDescription {
  const api = service.getApi();
  const paths = service.getPaths(operation);
  const names = parametersOfPath(paths.at(-1) ?? '');
  const before = api === null ? '' : api.getBaseUrl() + api.getVersionPath();
  const adapters = adaptersOf(service, operation);
  const security = adapters
    .flatMap((adapter) => securitySchemesOf(adapter).map((scheme) => ({ scheme, realm: adapter.realm })))
    .sort((a, b) => rank(schemeName(a.scheme)) - rank(schemeName(b.scheme)));
  const declared = operation.getRequestExample();
  const example = declared === undefined || jsonExcerpt(declared) === undefined ? undefined : declared;
  const schema = operation.getRequestSchema();
  const body = schema === null ? undefined : bodyField(schema);
  return {
    method: operation.getHttpMethod(),
    paths: paths.map((path) => before + path),
    parameters: service
      .getRouteParameters()
      .filter(({ name }) => names.includes(name))
      .map(inputOf),
    query: operation.getQueryParameters().map(inputOf),
    headers: operation.getRequestHeaders().map(inputOf),
    accept: operation.getResponseContentTypes(),
    contentTypes: schema === null ? [] : operation.getRequestContentTypes(),
    ...(body === undefined ? {} : { body }),
    ...(schema !== null && example !== undefined ? { example } : {}),
    schemes: security.map(({ scheme }) => schemeName(scheme)),
    tokens: security.flatMap(({ scheme, realm }) => tokenOf(scheme, realm)),
    realm: (security.find(({ scheme }) => hasPassword(scheme)) ?? adapters[0])?.realm ?? '',
    closed: operation.requiresAuthorization(),
  };
}

/** Tokens of OAuth 2 and OpenID Connect are sent as Bearer tokens. */
function schemeName(scheme: SecurityScheme): string {
  if (scheme.type === 'http') return scheme.scheme;
  return scheme.type === 'apiKey' ? scheme.type : 'bearer';
}

function hasPassword(scheme: SecurityScheme): boolean {
  return rank(schemeName(scheme)) < Infinity;
}

function tokenOf(scheme: SecurityScheme, realm: string): readonly ConsoleToken[] {
  if (scheme.type === 'apiKey')
    return [{ kind: 'apiKey', realm, in: scheme.in, name: scheme.name, prefix: '' }];
  if (schemeName(scheme) !== 'bearer') return [];
  return [{ kind: 'bearer', realm, in: 'header', name: 'Authorization', prefix: 'Bearer ' }];
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
