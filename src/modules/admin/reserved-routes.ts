import { ConfigurationError, hasPathPrefix, expandPaths } from '../../framework';
import type { HostedApi } from '../hosting';
import { ADMIN_API } from './changes/lockout';
import { ADMIN_PATH } from './pages/admin-paths';

/**
 * Rejects services below the path of the admin: they could take over its pages and its API, with which they are undone.
 * @throws ConfigurationError
 */
export function assertAdminPathIsFree(apis: readonly HostedApi[]): void {
  for (const { name, basePath, versions } of apis) {
    if (name === ADMIN_API) continue;
    for (const { version, services } of versions) {
      const service = services.find(({ route }) => isBelowAdmin(basePath + route));
      if (service === undefined) continue;
      throw new ConfigurationError(
        `The service ${service.name} of ${name}-v${version} has the route ${basePath}${service.route}. Paths below ${ADMIN_PATH} are reserved for the admin. Change the route.`,
      );
    }
  }
}

function isBelowAdmin(pattern: string): boolean {
  // Most routes say otherwise at once.
  return pattern.includes('admin') && expandPaths(pattern).some((path) => hasPathPrefix(path, ADMIN_PATH));
}
