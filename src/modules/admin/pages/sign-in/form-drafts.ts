import type { MvcEvent, Request } from '../../../../framework';
import type { Draft, Drafts } from '../../sessions/drafts';
import type { Session } from '../../sessions/session';
import { isValidCsrfToken } from '../../sessions/sessions';
import type { AdminPage } from '../admin-page';
import { INTERNAL_FIELDS } from '../forms/proposal';
import { FORM_LIMITS, readForm } from '../forms/read-form';
import type { RequestSessions } from './request-sessions';

/** The query parameter with the token of a form to show again. */
export const DRAFT = 'draft';

/** Keeps forms that are submitted after their session has expired, and finds them after sign-in. */
export class FormDrafts {
  readonly #drafts: Drafts;
  readonly #sessions: RequestSessions;

  constructor(drafts: Drafts, sessions: RequestSessions) {
    this.#drafts = drafts;
    this.#sessions = sessions;
  }

  /** Returns the draft that a request names; undefined for none, or for one of another administrator or page. */
  async find({ request }: MvcEvent, { user }: Session): Promise<Draft | undefined> {
    const token = request.query.get(DRAFT);
    return token === null ? undefined : await this.#drafts.find(token, user, request.path);
  }

  /**
   * Keeps the form of a request where its page can show it and its session has expired: nothing is read from anybody
   * else. What scripts send while a user types is not kept: nobody would be led to it.
   * @returns the request target that shows the form again, or the page of one without fields; undefined if it is not kept
   * @throws Problem 400, 413 or 415 for a form that cannot be read
   */
  async keep(event: MvcEvent, { edit, GET, hasLongForm }: AdminPage): Promise<string | undefined> {
    if (GET === undefined || isOfScript(event.request)) return undefined;
    const session = await this.#sessions.findExpired(event);
    if (session === undefined) return undefined;
    if (edit === undefined) return event.request.target;
    const limit = hasLongForm === true ? FORM_LIMITS.expired : undefined;
    const form = await readForm(event.request, limit);
    if (!isValidCsrfToken(session, form.get(INTERNAL_FIELDS.csrf))) return undefined;
    const { path, query } = event.request;
    const back = new URLSearchParams(query);
    back.set(DRAFT, await this.#drafts.keep(session.user, path, form));
    return `${path}?${back.toString()}`;
  }
}

/** Whether a browser says that the response is not for a document (Fetch Metadata). */
export function isOfScript(request: Request): boolean {
  return request.header('sec-fetch-dest') === 'empty';
}
