import { objectOf, type ConfigObject, type Router, type RouteTarget } from '../../framework';
import { servicePattern } from '../../modules/hosting';

/** An imported API without the services whose routes conflict with the project's. */
export interface MergedApi {
  readonly api: ConfigObject;
  readonly services: number;
  readonly operations: number;
  /** The omitted services, as lines of the report. */
  readonly losses: readonly string[];
}

/**
 * Omits services whose routes conflict with existing ones, because the project would not start with them.
 * @param api the API as configuration, with a single version
 * @param router undefined if the project's routes are unknown
 * @param isReplaced whether existing routes of the API are about to be replaced
 */
export function omitConflicts(
  name: string,
  api: ConfigObject,
  version: string,
  router: Router<RouteTarget> | undefined,
  isReplaced: boolean,
): MergedApi {
  const basePath = typeof api.base_path === 'string' ? api.base_path : '';
  const described = objectOf(objectOf(api.versions)[version]);
  const losses: string[] = [];
  const placed = Object.entries(objectOf(described.services)).filter(([, service]) => {
    const { route } = objectOf(service);
    if (typeof route !== 'string') return true;
    const other = router?.findConflict(servicePattern(basePath, route));
    // Versions of an API share a route if it is identical.
    const isOwn = isReplaced ? other?.name.startsWith(`${name}:`) : other?.name === `${name}:${route}`;
    if (other === undefined || isOwn === true) return true;
    losses.push(`a route that conflicts with "${other.name}" (use --base-path to avoid it): ${route}`);
    return false;
  });
  const operations = placed.map(([, service]) => Object.keys(objectOf(objectOf(service).methods)).length);
  return {
    api: { ...api, versions: { [version]: { ...described, services: Object.fromEntries(placed) } } },
    services: placed.length,
    operations: operations.reduce((sum, count) => sum + count, 0),
    losses,
  };
}
