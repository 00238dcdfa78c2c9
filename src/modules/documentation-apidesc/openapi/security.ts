import type { AdapterData, Api, Operation, Service } from '../../documentation';

/** The names of security schemes by which an operation may be called; the empty object means: by guests. */
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/**
 * Who may call an operation. With authorization required: any one of the adapters' schemes. Where guests are
 * allowed but credentials are taken (and wrong ones refused): nothing, or one of them. Otherwise nothing.
 */
export function securityOf(api: Api, operation: Operation): readonly SecurityRequirement[] {
  const requirements = adaptersOf(api, operation)
    .flatMap(schemeNames)
    .map(({ name }): SecurityRequirement => ({ [name]: [] }));
  if (operation.requiresAuthorization() || requirements.length === 0) return requirements;
  return [{}, ...requirements];
}

/** The Security Scheme Objects that the operations of the services refer to, by name. */
export function securitySchemesOf(
  apis: readonly Api[],
  entries: readonly { readonly api: Api; readonly service: Service }[],
): Readonly<Record<string, unknown>> {
  const used = new Set(
    entries.flatMap(({ api, service }) =>
      [...service.getOperations(), ...service.getEntityOperations()].flatMap((operation) =>
        adaptersOf(api, operation).map((adapter) => adapter.name),
      ),
    ),
  );
  const adapters = apis.flatMap((api) => api.getAdapters()).filter((adapter) => used.has(adapter.name));
  return Object.fromEntries(
    adapters.flatMap((adapter) =>
      schemeNames(adapter).map(({ name, scheme }) => [
        name,
        {
          type: 'http',
          scheme,
          description: `HTTP ${TITLES.get(scheme) ?? scheme}, realm "${adapter.realm}".`,
        },
      ]),
    ),
  );
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
