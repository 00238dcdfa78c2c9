import type { AdapterData, Api, Operation, Service } from '../../documentation';

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
    .map(({ name }): SecurityRequirement => ({ [name]: [] }));
  if (operation.requiresAuthorization() && requirements.length === 0) return [{ [NO_ADAPTER]: [] }];
  if (operation.requiresAuthorization() || requirements.length === 0) return requirements;
  return [{}, ...requirements];
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
  const adapters = apis.flatMap((api) => api.getAdapters()).filter((adapter) => used.has(adapter.name));
  const schemes = adapters.flatMap((adapter) =>
    schemeNames(adapter).map(({ name, scheme }) => {
      const description = `HTTP ${TITLES.get(scheme) ?? scheme}, realm "${adapter.realm}".`;
      return [name, { type: 'http', scheme, description }] as const;
    }),
  );
  return { ...Object.fromEntries(schemes), ...(isClosed ? { [NO_ADAPTER]: NO_ADAPTER_SCHEME } : {}) };
}

/** The schemes of modules are shown by name. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['basic', 'Basic (RFC 7617)'],
  ['digest', 'Digest (RFC 7616)'],
]);

function adaptersOf(api: Api, operation: Operation): readonly AdapterData[] {
  return api.getAdapters().filter((adapter) => operation.getAdapters().includes(adapter.name));
}

/** An adapter with one scheme gives it its name; with several, the scheme is appended. */
function schemeNames(adapter: AdapterData): readonly { readonly name: string; readonly scheme: string }[] {
  const name = adapter.name.replace(/[^\w.-]/g, '_');
  return adapter.schemes.map((scheme) => ({
    name: adapter.schemes.length === 1 ? name : `${name}-${scheme}`,
    scheme,
  }));
}
