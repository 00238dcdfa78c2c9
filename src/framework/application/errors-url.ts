import { ERRORS_ROUTE } from '../mvc/lifecycle';
import type { ApplicationParts } from './application-parts';
import { publicUrlOf } from './public-url';

/** Returns the URL of the error reference, in which each code has an entry; undefined if none is served. */
export function errorsUrlOf({
  router,
  configuration,
}: Pick<ApplicationParts, 'router' | 'configuration'>): string | undefined {
  if (!router.has(ERRORS_ROUTE)) return undefined;
  return publicUrlOf(configuration).origin + router.assemble(ERRORS_ROUTE);
}
