import type { Application } from '../../../../framework';
import { Catalogue } from '../../../hosting';
import { ADMIN_API } from '../../changes/lockout';

/** Returns the path of the first list or procedure that needs no parameters. */
export async function examplePath({ services, router }: Application): Promise<string> {
  const { apis } = services.has(Catalogue) ? await services.get(Catalogue) : { apis: [] };
  for (const { name, basePath, versions } of apis) {
    if (name === ADMIN_API) continue;
    for (const { version, services: hosted } of versions) {
      for (const { route, operations } of hosted) {
        const path = route.replace(/\[.*$/, '');
        if (!path.includes(':') && operations.some(({ method }) => method === 'GET'))
          return `${router.base}${basePath}/v${version}${path}`;
      }
    }
  }
  return `${router.base}/platform/documentation`;
}
