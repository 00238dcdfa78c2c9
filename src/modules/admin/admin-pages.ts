import type { Throttle } from '../mvc-auth';
import { accountPage } from './accounts/account-page';
import { administratorsPages } from './accounts/administrators-pages';
import type { Claim } from './accounts/claim-link';
import { claimPage } from './accounts/claim-page';
import { localOnly, withOpenidAccount } from './accounts/openid-account';
import type { PendingSignIns } from './accounts/second-factor/pending-sign-in';
import type { SecondFactorCheck } from './accounts/second-factor/second-factor-check';
import { secondFactorPages } from './accounts/second-factor/second-factor-pages';
import { signInCodePage } from './accounts/second-factor/sign-in-code-page';
import { signInPage, signOutPage } from './accounts/sign-in-pages';
import type { AdminPage, OpenPage } from './pages/admin-page';
import type { PageDependencies } from './pages/page-dependencies';
import { reviewPage } from './pages/forms/review-page';
import type { PageRoutes } from './pages/page-routes';
import { screens } from './screens/screens';
import type { AdminServices } from './services';

/** What signs administrators in, and what the pages change. */
interface PageParts {
  /** Undefined for an application that cannot be reloaded: it has only the pages of accounts. */
  readonly admin: AdminServices | undefined;
  readonly throttle: Throttle;
  readonly pending: PendingSignIns;
  readonly check: SecondFactorCheck;
  /** Returns the one-time link; undefined for none. */
  readonly claim: () => Claim | undefined;
}

/** Adds the pages of the admin: those of the sign-in, which are open, and those that require a session. */
export function addAdminPages(
  routes: PageRoutes,
  dependencies: PageDependencies,
  { admin, throttle, pending, check, claim }: PageParts,
): void {
  // All are created before one is added: if a file cannot be read, the next request begins again.
  const open: readonly OpenPage[] = [
    signInPage(dependencies, routes, { throttle, pending }),
    signInCodePage(dependencies, routes, { pending, check }),
    claimPage(dependencies, routes, throttle, claim),
  ];
  const signedIn: readonly AdminPage[] = [
    signOutPage(dependencies, routes),
    withOpenidAccount(accountPage(dependencies, routes, throttle), dependencies.settings),
    ...secondFactorPages(dependencies, { throttle, check }).map((page) => localOnly(page)),
    ...administratorsPages(dependencies),
    reviewPage(dependencies),
    ...(admin === undefined ? [] : screens.flatMap((screen) => screen(admin))),
  ];
  routes.addOpen(open);
  routes.add(signedIn);
}
