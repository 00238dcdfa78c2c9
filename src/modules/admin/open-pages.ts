import type { Application, Deployment, Log } from '../../framework';
import { Assets } from '../documentation';
import { Catalogue } from '../hosting';
import { Throttle } from '../mvc-auth';
import type { OpenidSignIn } from '../openid';
import { RequestTraces } from '../operations';
import { AdminAccessListener } from './access/admin-access-listener';
import { Claim } from './accounts/claim-link';
import { adminTarget } from './accounts/openid-target';
import { PendingSignIns } from './accounts/second-factor/pending-sign-in';
import { SecondFactorCheck } from './accounts/second-factor/second-factor-check';
import { addAdminPages } from './admin-pages';
import { ADMIN_API } from './changes/lockout';
import type { PageDependencies } from './pages/page-dependencies';
import { PageListener } from './pages/page-listener';
import { PageRoutes } from './pages/page-routes';
import { assertNoForeignPage } from './pages/same-origin';
import type { AdminServices } from './services';
import { adminAssets } from './templates';

interface PageParts {
  /** Undefined for an application that cannot be reloaded. */
  readonly admin: (() => AdminServices) | undefined;
  readonly signIn: OpenidSignIn | undefined;
  readonly deployment: Deployment;
  readonly log: Log;
}

/** Adds the pages to an application, with their assets and listeners. */
export async function openPages(
  { services, sharedState, events }: Application,
  dependencies: PageDependencies,
  { admin, signIn, deployment, log }: PageParts,
): Promise<void> {
  const { access, administrators, openid, paths, publicOrigin } = dependencies;
  // The pages that show traces are of little interest.
  sharedState.find(RequestTraces)?.ignore(paths.home);
  const throttle = await services.get(Throttle);
  const routes = new PageRoutes(dependencies);
  // A start does not pay for what few requests need.
  routes.addLater(() => {
    addAdminPages(routes, dependencies, {
      admin: admin?.(),
      throttle,
      pending: new PendingSignIns(deployment),
      check: new SecondFactorCheck(administrators, throttle, deployment, log),
      claim: () => sharedState.find(Claim),
    });
  });
  if (openid !== undefined) signIn?.addTarget(adminTarget(signIn, dependencies, routes));
  // Modules can add pages.
  services.set(PageRoutes, routes);
  (await services.get(Assets)).add(adminAssets());
  events.attachGroup(new PageListener(dependencies, routes));
  const { apis } = await services.get(Catalogue);
  const cors = apis.find(({ name }) => name === ADMIN_API)?.cors;
  events.attachGroup(
    new AdminAccessListener(access, {
      isOpenToAllNetworks: (route) => routes.isOpenToAllNetworks(route),
      assertNoForeignPage: (event) =>
        assertNoForeignPage(
          event.request,
          { secure: routes.isSecure(event), publicOrigin },
          (origin) => cors?.allows(origin) === true,
        ),
    }),
  );
}
