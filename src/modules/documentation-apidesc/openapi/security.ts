import type { AdapterData, Api, Operation, Service } from '../../documentation';

/** The names of security schemes by which an operation may be called; the empty object means: by guests. */
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/**
 * The scheme of operations that refuse guests where no adapter signs anybody in: OpenAPI has no other word for it, as no
 * scheme at all means that everybody may call.
 */
const NO_ADAPTER = 'no-adapter-configured';

const NO_ADAPTER_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'Guests are refused with 403, and no authentication adapter is configured to sign in with.',
} as const;

/**
 * Who may call an operation. With authorization required: any one of the adapters' schemes; without adapters, a scheme
 * of which there are no credentials. Where guests are allowed but credentials are taken (and wrong ones refused):
 * nothing, or one of them. Otherwise nothing.
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

/** A scheme of an adapter that a module brings is called by its own name. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['basic', 'Basic (RFC 7617)'],
  ['digest', 'Digest (RFC 7616)'],
]);

function adaptersOf(api: Api, operation: Operation): readonly AdapterData[] {
  return api.getAdapters().filter((adapter) => operation.getAdapters().includes(adapter.name));
}

/** An adapter of one scheme gives it its own name; one of several adds the scheme's. */
function schemeNames(adapter: AdapterData): readonly { readonly name: string; readonly scheme: string }[] {
  const name = adapter.name.replace(/[^\w.-]/g, '_');
  return adapter.schemes.map((scheme) => ({
    name: adapter.schemes.length === 1 ? name : `${name}-${scheme}`,
    scheme,
  }));
}
