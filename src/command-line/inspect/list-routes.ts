import { formatColumns, type Application } from '../../framework';
import { pathsOfRoute } from '../../modules/documentation';
import { Catalogue, operationId, type HostedEndpoint, type HostedService } from '../../modules/hosting';
import { UsageError } from '../usage-error';

/** A method of a path, as `routes --json` prints it. */
interface RouteView {
  readonly method: string;
  /** With the base path, such as `/v1/notes/:note_id`. */
  readonly path: string;
  /** The id of a documented operation, or the name of the route. */
  readonly operation: string;
}

export interface ListedRoutes {
  readonly text: string;
  /** How many routes of the platform itself were left out. */
  readonly hidden: number;
}

export interface RouteFilter {
  /** Only routes whose path or operation contains it. */
  readonly text?: string | undefined;
  /** Also those of the platform itself: documentation, admin, assets. Without it only if there is a text. */
  readonly all: boolean;
  readonly json: boolean;
}

/** @throws UsageError if no route contains the text */
export async function listRoutes(
  application: Application,
  { text = '', all, json }: RouteFilter,
): Promise<ListedRoutes> {
  const routes = [...(await hostedRoutes(application)), ...otherRoutes(application)];
  const own = `${application.router.base}/platform/`;
  const candidates = all || text !== '' ? routes : routes.filter(({ path }) => !path.startsWith(own));
  const found = candidates.filter(({ path, operation }) => path.includes(text) || operation.includes(text));
  if (found.length === 0 && text !== '')
    throw new UsageError(`No path and no operation of the ${routes.length} routes contains "${text}".`);
  return {
    text: json
      ? `${JSON.stringify(found, null, 2)}\n`
      : formatColumns(
          ['METHOD', 'PATH', 'OPERATION'],
          found.map(({ method, path, operation }) => [method, path, operation]),
        ),
    hidden: routes.length - candidates.length,
  };
}

/** The operations of the APIs, by version and service. */
async function hostedRoutes({ services, router }: Application): Promise<readonly RouteView[]> {
  if (!services.has(Catalogue)) return [];
  const { apis } = await services.get(Catalogue);
  return apis.flatMap(({ basePath, versions }) =>
    versions.flatMap(({ version, services }) =>
      services.flatMap((service) =>
        [...service.operations, ...service.entityOperations].map((operation) => ({
          method: operation.method,
          path: `${router.base}${basePath}/v${version}${pathOf(service, operation)}`,
          operation: operationId(operation),
        })),
      ),
    ),
  );
}

/** The longest path of the service that the operation has. */
function pathOf({ route, routeIdentifierName }: HostedService, { part }: HostedEndpoint): string {
  const paths = pathsOfRoute(route);
  const parameter = new RegExp(`:${routeIdentifierName ?? ''}\\b`);
  const matching =
    part === 'rpc' ? paths : paths.filter((path) => parameter.test(path) === (part === 'entity'));
  return (matching.length > 0 ? matching : paths).at(-1) ?? route;
}

/** The routes that always have the same methods: those that no API has. */
function otherRoutes({ router }: Application): readonly RouteView[] {
  return router.routes.flatMap(({ name, pattern, target }) => {
    const methods = [...(target.methods?.endpoints.keys() ?? [])];
    return (
      methods
        // A HEAD is that of GET.
        .filter((method) => method !== 'HEAD' || !methods.includes('GET'))
        .map((method) => ({ method, path: router.base + pattern.text, operation: name }))
    );
  });
}
