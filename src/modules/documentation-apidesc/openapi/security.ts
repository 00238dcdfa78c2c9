import {
  OPTIONS_SENTENCE,
  type AdapterData,
  type Api,
  type Operation,
  type Service,
} from '../../documentation';
import { securitySchemesOf as schemesOf, type SecurityScheme } from '../../mvc-auth';

/** Security schemes that an operation accepts; the empty object means guests. */
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/**
 * The scheme of operations that require authentication although no adapter is configured. OpenAPI cannot express that
 * otherwise: an operation without a scheme is open to everybody.
 */
const NO_ADAPTER = 'no-adapter-configured';

const NO_ADAPTER_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'Guests are refused with 403, and no authentication adapter is configured to sign in with.',
} as const;

/**
 * Returns who may call an operation. With required authorization: any scheme of the adapters, or, without adapters, a
 * scheme that has no credentials. If guests are allowed and credentials are optional: nothing, or one of the schemes.
 * Otherwise nothing.
 */
export function securityOf(api: Api, operation: Operation): readonly SecurityRequirement[] {
  const requirements = adaptersOf(api, operation)
    .flatMap(schemeNames)
    .flatMap(({ name, scheme }) =>
      scopesFor(scheme, operation).map((scopes): SecurityRequirement => ({ [name]: scopes })),
    );
  if (operation.requiresAuthorization() && requirements.length === 0) return [{ [NO_ADAPTER]: [] }];
  if (operation.requiresAuthorization() || requirements.length === 0) return requirements;
  return [{}, ...requirements];
}

/**
 * Returns the scopes of each requirement of a scheme: any of them is enough, so each is a requirement of its own. Users
 * with a password have no scopes: where some of them are permitted all the same, their requirement has none.
 */
function scopesFor(scheme: SecurityScheme, operation: Operation): readonly (readonly string[])[] {
  const scopes = operation.getScopes();
  if (scopes === null || (scopes.othersPermitted && isPassword(scheme))) return [[]];
  return scopes.anyOf.map((scope) => [scope]);
}

function isPassword(scheme: SecurityScheme): boolean {
  return scheme.type === 'http' && ['basic', 'digest'].includes(scheme.scheme);
}

/** The Security Scheme Objects that the operations of the services refer to, by name. */
export function securitySchemesOf(
  apis: readonly Api[],
  entries: readonly { readonly api: Api; readonly service: Service }[],
): Readonly<Record<string, unknown>> {
  const operations = entries.flatMap(({ api, service }) =>
    [...service.getOperations(), ...service.getEntityOperations()].map((operation) => ({ api, operation })),
  );
  const used = new Set(
    operations.flatMap(({ api, operation }) => adaptersOf(api, operation).map((adapter) => adapter.name)),
  );
  const isClosed = operations.some(({ api, operation }) =>
    securityOf(api, operation).some((requirement) => NO_ADAPTER in requirement),
  );
  const scopes = [...new Set(operations.flatMap(({ operation }) => operation.getScopes()?.anyOf ?? []))];
  const adapters = apis.flatMap((api) => api.getAdapters()).filter((adapter) => used.has(adapter.name));
  const schemes = adapters.flatMap((adapter) =>
    schemeNames(adapter).map(
      ({ name, scheme }) =>
        [
          name,
          {
            ...withScopes(scheme, scopes),
            description: `${describe(scheme, adapter.realm)} ${OPTIONS_SENTENCE}`,
          },
        ] as const,
    ),
  );
  return { ...Object.fromEntries(schemes), ...(isClosed ? { [NO_ADAPTER]: NO_ADAPTER_SCHEME } : {}) };
}

/** Adds the scopes that operations require to the flows, which list all scopes (OpenAPI 3.1.1, 4.8.29.1). */
function withScopes(scheme: SecurityScheme, required: readonly string[]): SecurityScheme {
  if (scheme.type !== 'oauth2') return scheme;
  const added = Object.fromEntries(required.map((scope) => [scope, '']));
  const flows = Object.entries(scheme.flows).map(
    ([name, flow]) => [name, { ...flow, scopes: { ...added, ...flow.scopes } }] as const,
  );
  return { ...scheme, flows: Object.fromEntries(flows) };
}

/** The schemes of modules are shown by name. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['basic', 'Basic (RFC 7617)'],
  ['digest', 'Digest (RFC 7616)'],
  ['bearer', 'Bearer (RFC 6750)'],
]);

function describe(scheme: SecurityScheme, realm: string): string {
  switch (scheme.type) {
    case 'http':
      return `HTTP ${TITLES.get(scheme.scheme) ?? scheme.scheme}, realm "${realm}".`;
    case 'apiKey':
      return `API key in the ${scheme.in === 'header' ? 'header field' : 'query parameter'} ${scheme.name}, realm "${realm}".`;
    case 'oauth2':
      return `OAuth 2.0 access token, sent as HTTP Bearer (RFC 6750), realm "${realm}".`;
    case 'openIdConnect':
      return `Access token of an OpenID Connect provider, sent as HTTP Bearer (RFC 6750), realm "${realm}".`;
  }
}

function adaptersOf(api: Api, operation: Operation): readonly AdapterData[] {
  return api.getAdapters().filter((adapter) => operation.getAdapters().includes(adapter.name));
}

/** An adapter with one scheme gives it its name; with several, the scheme is appended. */
function schemeNames(
  adapter: AdapterData,
): readonly { readonly name: string; readonly scheme: SecurityScheme }[] {
  const schemes = schemesOf(adapter);
  return schemes.map((scheme) => ({
    name: nameOf(schemes.length === 1 ? adapter.name : `${adapter.name}-${suffixOf(scheme)}`),
    scheme,
  }));
}

function suffixOf(scheme: SecurityScheme): string {
  if (scheme.type === 'http') return scheme.scheme;
  return scheme.type === 'apiKey' ? `${scheme.in}-${scheme.name}` : scheme.type;
}

/** Names of components have these characters only (OpenAPI 3.1.1, 4.8.7.1). */
function nameOf(text: string): string {
  return text.replace(/[^\w.-]/g, '_');
}
