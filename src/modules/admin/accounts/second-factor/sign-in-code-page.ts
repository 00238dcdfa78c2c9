import { Problem } from '../../../../framework';
import { visitorOf } from '../../audit/visitor';
import type { OpenPage } from '../../pages/admin-page';
import { respondWith } from '../../pages/forms/form-errors';
import type { PageDependencies } from '../../pages/page-dependencies';
import type { PageRoutes } from '../../pages/page-routes';
import { recordSession } from '../sign-in-pages';
import type { PendingSignIns } from './pending-sign-in';
import type { SecondFactorCheck } from './second-factor-check';
import { SIGN_IN_CODE_PATH, signInCodeView } from './sign-in-code-view';

/** Creates the page that verifies the second factor, and starts the session. */
export function signInCodePage(
  dependencies: PageDependencies,
  routes: PageRoutes,
  { pending: pendings, check }: { readonly pending: PendingSignIns; readonly check: SecondFactorCheck },
): OpenPage {
  const { administrators, audit } = dependencies;
  return {
    name: 'sign-in-code',
    pattern: SIGN_IN_CODE_PATH,
    POST: async (event, form) => {
      const step = { pending: form.get('pending') ?? '', back: form.get('return') };
      const verified = await verifiedIn(pendings, administrators, step.pending);
      if (verified === undefined) return routes.toSignIn(step.back);
      const { name, credentials } = verified;
      const factor = await administrators.secondFactorOf(name);
      const actor = await visitorOf(event, administrators, name);
      try {
        // An administrator may have removed the factor meanwhile: then the password is enough.
        const isValid =
          factor === undefined || (await check.verify(event, name, factor, form.get('code') ?? ''));
        if (isValid)
          return await recordSession(dependencies, routes, event, {
            actor,
            name,
            credentials,
            back: step.back,
          });
        await audit.recordFailure({ action: 'sign_in', actor, code: 'second_factor' }, true);
        event.response.status = 403;
        return signInCodeView(dependencies, step, 'Wrong or used code. Wait for the next one.');
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        respondWith(event, error);
        return signInCodeView(dependencies, step, error.detail);
      }
    },
  };
}

/** The administrator whose password was verified; undefined if it has changed since, or that was too long ago. */
async function verifiedIn(
  pendings: PendingSignIns,
  administrators: PageDependencies['administrators'],
  sealed: string,
): Promise<{ readonly name: string; readonly credentials: string } | undefined> {
  const pending = pendings.open(sealed);
  if (pending === undefined) return undefined;
  const { name, credentials } = pending;
  return (await administrators.credentialsOf(name)) === credentials ? pending : undefined;
}
