import type { AdminPage } from '../admin-page';
import type { PageDependencies } from '../page-dependencies';
import { pageView } from '../page-view';

const PATH = '/reviews';
const NOT_FOUND = 404;
const GONE = 410;

/** Returns the path of a kept review, below the admin. */
export function reviewPath(token: string): string {
  return `${PATH}/${token}`;
}

/** Creates the page that shows the review of a submitted form, also when a user goes back to it. */
export function reviewPage({ shownReviews, sessions, paths }: PageDependencies): AdminPage {
  return {
    name: 'review',
    pattern: `${PATH}/:token`,
    GET: async ({ session, role, show, parameters: { token = '' } }) => {
      const review = await shownReviews.find(token, session.id);
      if (review === undefined) return show('review-gone', { isSaved: false }, NOT_FOUND);
      if (review === 'saved') return show('review-gone', { isSaved: true }, GONE);
      const { template, variables, path, required } = review;
      const messages = sessions.takeMessages(session);
      const page = { paths, currentPath: path, session, role, required, messages };
      return pageView(template, { ...variables, review: token }, page);
    },
  };
}
