import { Response, type MvcEvent } from '../../../framework';
import type { AdminRole } from '../accounts/roles';
import type { Actor } from '../changes/change';
import type { SubmittedReview } from '../sessions/reviews';
import type { Session } from '../sessions/session';
import type { AdminPage, PageContext } from './admin-page';
import { FileReviewForm } from './forms/file-review';
import type { PageDependencies } from './page-dependencies';
import { requiredRole } from './page-roles';
import { pageView } from './page-view';
import { reviewPath } from './forms/review-page';
import { EDITED_REVIEW } from './forms/edited-review';
import { INTERNAL_FIELDS, Proposal } from './forms/proposal';
import { DRAFT } from './sign-in/form-drafts';

/** A request of an administrator for a page. */
export interface SignedIn {
  readonly event: MvcEvent;
  readonly session: Session;
  readonly role: AdminRole;
  readonly page: AdminPage;
}

/** What a page was submitted with; a page that is read has no fields. */
interface Submission {
  readonly form: URLSearchParams;
  /** Whether the page can show its form again; defaults to false. */
  readonly canEdit?: boolean;
  /** The review of another node that the form confirms. */
  readonly reviewed?: SubmittedReview | undefined;
}

/** Creates the argument of a page handler. */
export function pageContext(
  { event, session, role, page }: SignedIn,
  { form, canEdit = false, reviewed }: Submission,
  { paths, sessions, changes, reviews, shownReviews }: PageDependencies,
): PageContext {
  const currentPath = paths.below(event.request.path);
  const required = requiredRole(page);
  /** The token of the review that the form is part of. */
  const review = form.get(INTERNAL_FIELDS.review);
  const edited = form.get(INTERNAL_FIELDS.edited) ?? undefined;
  const setSaved = async (): Promise<void> => {
    if (review !== null) await shownReviews.setSaved(review, session.id);
  };
  const context: PageContext = {
    event,
    parameters: event.parameters,
    query: ownQuery(event.request.query),
    form,
    session,
    actor: actorOf(event, session, role),
    role,
    url: (path) => paths.url(path),
    show: (template, variables = {}, status = 200) => {
      event.response.status = status;
      const messages = sessions.takeMessages(session);
      return pageView(template, variables, { paths, currentPath, session, role, required, messages, edited });
    },
    showReview: async (template, variables, status) => {
      // Submitted twice at the same moment: the other change is that of the same administrator.
      if (review !== null && (await shownReviews.find(review, session.id)) === 'saved')
        return context.redirect(reviewPath(review));
      const shown = { template, variables, path: currentPath, required, edited };
      const token = await shownReviews.keep(session.id, shown, review);
      if (token !== undefined) return context.redirect(reviewPath(token));
      return context.show(template, { ...variables, review }, status);
    },
    redirect: (path, message) => {
      if (message !== undefined) sessions.addMessage(session, { text: message });
      return new Response(303, null, [['Location', paths.safe(path)]]);
    },
    propose: (change, options) => {
      if (changes === undefined) throw new TypeError('This application cannot be reloaded.');
      const saved = async (text: string, undo: number): Promise<void> => {
        sessions.addMessage(session, { text, undo });
        await setSaved();
      };
      return new Proposal(context, changes, saved, { ...options, canEdit }).respond(change);
    },
    review: (change, options) =>
      new FileReviewForm(context, reviews, options, { canEdit, reviewed, saved: setSaved }).respond(change),
  };
  return context;
}

/** Returns the query of a page without the tokens of fields to show again. */
function ownQuery(query: URLSearchParams): URLSearchParams {
  const own = new URLSearchParams(query);
  own.delete(DRAFT);
  own.delete(EDITED_REVIEW);
  return own;
}

/** Returns the author of changes that a request makes. */
function actorOf({ request }: MvcEvent, { user, openid }: Session, role: AdminRole): Actor {
  const origin = request.header('origin');
  return {
    name: user,
    role,
    via: 'page',
    address: request.address,
    requestId: request.id,
    host: request.host,
    ...(origin === undefined ? {} : { origin }),
    ...(openid === undefined ? {} : { openid }),
  };
}
