import type { MvcEvent } from '../../../../framework';
import type { Session } from '../../sessions/session';
import type { PageDependencies } from '../page-dependencies';
import { INTERNAL_FIELDS } from './proposal';

/** The query parameter with the token of a review that is edited again. */
export const EDITED_REVIEW = 'review';

type Dependencies = Pick<PageDependencies, 'paths' | 'shownReviews'>;

/**
 * The fields of the review that a request edits again, with the secrets of adapters, which no form shows, but without
 * passwords of users. Undefined for a review of another session or form, for one that was saved, and after its lifetime.
 */
export async function editedFields(
  { request }: MvcEvent,
  session: Session,
  { paths, shownReviews }: Dependencies,
  token = request.query.get(EDITED_REVIEW),
): Promise<URLSearchParams | undefined> {
  if (token === null) return undefined;
  const review = await shownReviews.find(token, session.id);
  if (review === undefined || review === 'saved' || review.path !== paths.below(request.path))
    return undefined;
  // Written by the review of a form.
  const fields = new URLSearchParams(review.variables.fields as [name: string, value: string][]);
  fields.set(INTERNAL_FIELDS.edited, token);
  return fields;
}

/** Returns the page that edits a review again, below the admin, so that a browser can go back to it. */
export function editPath({ request }: MvcEvent, token: string, { paths }: Dependencies): string {
  const query = new URLSearchParams(request.query);
  query.set(EDITED_REVIEW, token);
  return `${paths.below(request.path)}?${query.toString()}`;
}
