import { problem } from '../../../../framework';
import { withoutSecrets } from '../../sessions/drafts';
import { isValidCsrfToken } from '../../sessions/sessions';
import type { PageHandler, PageResult } from '../admin-page';
import { pageContext, type SignedIn } from '../page-context';
import type { PageDependencies } from '../page-dependencies';
import { lacksSecondFactor, requiredRole } from '../page-roles';
import { isOfScript } from '../sign-in/form-drafts';
import { INTERNAL_FIELDS } from './proposal';
import { readPageForm } from './read-form';

const FORBIDDEN = 403;
const EXPIRED = 'Your session had expired.';

/** Shows a form that was not used. @param fields without passwords @param reason a sentence; defaults to an expired session */
export async function showAgain(
  signedIn: SignedIn,
  edit: PageHandler,
  fields: URLSearchParams,
  dependencies: PageDependencies,
  reason = EXPIRED,
): Promise<PageResult> {
  dependencies.sessions.addMessage(signedIn.session, {
    text: `${reason} What you entered is still here, except for passwords; nothing has been saved yet.`,
  });
  return await edit(pageContext(signedIn, { form: fields }, dependencies));
}

/** Does so with 403 for a form as it was submitted. */
export async function showRefused(
  signedIn: SignedIn,
  edit: PageHandler,
  form: URLSearchParams,
  dependencies: PageDependencies,
  reason?: string,
): Promise<PageResult> {
  const shown = await showAgain(signedIn, edit, withoutSecrets(form), dependencies, reason);
  signedIn.event.response.status = FORBIDDEN;
  return shown;
}

/**
 * Refuses a form that the role of its administrator does not permit. The role may have changed after the form was loaded:
 * what was typed is shown again.
 * @throws Problem 403 where nothing was typed, or no page can show it
 */
export async function refuseForm(signedIn: SignedIn, dependencies: PageDependencies): Promise<PageResult> {
  const { event, session, role, page } = signedIn;
  const refusal = problem('role_required', { role, required: requiredRole(page) });
  if (page.edit === undefined || isOfScript(event.request)) throw refusal;
  const form = await readPageForm(event.request, page);
  if (!isValidCsrfToken(session, form.get(INTERNAL_FIELDS.csrf))) throw refusal;
  if (withoutSecrets(form).size === 0 || (await lacksSecondFactor(session, page, dependencies)))
    throw refusal;
  return await showRefused(signedIn, page.edit, form, dependencies, refusal.detail);
}
