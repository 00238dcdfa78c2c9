import type { MaybePromise, MvcEvent, Problem, Response, ViewModel } from '../../../framework';
import type { Actor, Change, Restoration } from '../changes/change';
import type { Session } from '../sessions/session';

/** What a page's handler makes: something to show, or an answer as it is. */
export type PageResult = ViewModel | Response;

/** How a change from a form goes on. */
export interface ProposalOptions {
  /** Where it leads when it is made; below the admin. */
  readonly done: string;
  /** The tag that what is changed had when the form was shown. */
  readonly ifMatch?: string | undefined;
  /** Shows the form again, with what was typed and what is wrong with it. */
  readonly invalid: (problem: Problem) => ViewModel;
}

/** What a page's handler is given: the signed-in administrator is certain, a form's origin is proved. */
export interface PageContext {
  readonly event: MvcEvent;
  /** The route's parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** What was sent; empty for GET. */
  readonly form: URLSearchParams;
  readonly session: Session;
  readonly actor: Actor;
  /** The path of a page: `/adapters` → `/platform/admin/adapters`, behind the base path. Encode what stands in it. */
  readonly url: (path: string) => string;
  /** A page: `adapters` → the template `platform-admin/adapters`. @param status 200 unless told */
  readonly show: (
    template: string,
    variables?: Readonly<Record<string, unknown>>,
    status?: number,
  ) => ViewModel;
  /** 303 to a page. @param message said there, once */
  readonly redirect: (path: string, message?: string) => Response;
  /**
   * A change from a form. The first post shows the difference, with the form's fields hidden in it; the post that
   * confirms it applies it and leads to `done`, where it can be undone. What cannot be done (409, 422, 507) shows
   * the form again through `invalid`; what was changed meanwhile is shown beside what was typed.
   *
   * @param change makes the change from the form; what it throws counts as well
   */
  readonly propose: (
    change: () => MaybePromise<Change | Restoration>,
    options: ProposalOptions,
  ) => Promise<PageResult>;
}

export type PageHandler = (context: PageContext) => MaybePromise<PageResult>;

/** A page for administrators who are signed in. Name it `adapters`, `adapter-new`, … */
export interface AdminPage {
  readonly name: string;
  /** Below `/platform/admin`, e.g. `/adapters/:name`. */
  readonly pattern: string;
  readonly GET?: PageHandler;
  readonly POST?: PageHandler;
}
