import { hasPathPrefix } from '../../framework';
import type { HostedApi } from '../hosting';

/** The paths of the documentation, the admin and their assets. */
export const PLATFORM = '/platform';

/**
 * Returns a predicate for the paths that belong to APIs and pages of the platform. What they do not have is a 404 of
 * theirs, not a page of the front end.
 *
 * @param folder the path of a folder: what lies above it is not reserved in it
 */
export function reservedPaths(
  apis: readonly Pick<HostedApi, 'basePath' | 'versions'>[],
  folder: string,
): (path: string) => boolean {
  const prefixes = new Set([PLATFORM]);
  let versioned = false;
  for (const { basePath, versions } of apis) {
    if (basePath !== '') prefixes.add(basePath);
    else {
      versioned = true;
      for (const { route } of versions.flatMap(({ services }) => services)) {
        const [first = ''] = /^\/[^/[\]:]+/.exec(route) ?? [];
        if (first !== '') prefixes.add(first);
      }
    }
  }
  const below = folder === '/' ? '/' : `${folder}/`;
  const reserved = [...prefixes].filter((prefix) => prefix.startsWith(below));
  return (path) =>
    reserved.some((prefix) => hasPathPrefix(path, prefix)) ||
    (versioned && folder === '/' && /^\/v\d+(?:\/|$)/.test(path));
}
