import type { ConfigTree, Router, RouteTarget } from '../framework';
import { servicePattern } from '../modules/hosting';
import { treeOf } from './docs-call';

/** An API that was imported, without what the project has no place for. */
export interface PlacedApi {
  readonly api: ConfigTree;
  readonly services: number;
  readonly operations: number;
  /** What had no place, as the lines of the report. */
  readonly losses: readonly string[];
}

/**
 * Leaves out the services whose paths are taken in a project: two routes cannot have one path, and the project would
 * not start.
 * @param api the API as configuration has it, with its one version
 * @param router undefined where the project's routes are not known
 * @param isReplaced whether routes of the API are there that are about to go
 */
export function withPlaces(
  name: string,
  api: ConfigTree,
  version: string,
  router: Router<RouteTarget> | undefined,
  isReplaced: boolean,
): PlacedApi {
  const basePath = typeof api.base_path === 'string' ? api.base_path : '';
  const described = treeOf(treeOf(api.versions)[version]);
  const losses: string[] = [];
  const placed = Object.entries(treeOf(described.services)).filter(([, service]) => {
    const { route } = treeOf(service);
    if (typeof route !== 'string') return true;
    const other = router?.taking(servicePattern(basePath, route));
    // Versions of an API may have one route, if it is the same.
    const isOwn = isReplaced ? other?.name.startsWith(`${name}:`) : other?.name === `${name}:${route}`;
    if (other === undefined || isOwn === true) return true;
    losses.push(
      `a path that is taken here by "${other.name}" (--base-path puts the import below another): ${route}`,
    );
    return false;
  });
  const operations = placed.map(([, service]) => Object.keys(treeOf(treeOf(service).methods)).length);
  return {
    api: { ...api, versions: { [version]: { ...described, services: Object.fromEntries(placed) } } },
    services: placed.length,
    operations: operations.reduce((sum, count) => sum + count, 0),
    losses,
  };
}
