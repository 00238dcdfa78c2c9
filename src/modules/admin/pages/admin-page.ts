import type { MaybePromise, MvcEvent, Problem, Response, ViewModel } from '../../../framework';
import type { AdminRole } from '../accounts/roles';
import type { Actor, Change, Restoration } from '../changes/change';
import type { FieldError } from '../changes/field-errors';
import type { FileChange } from '../changes/file-change';
import type { Session } from '../sessions/session';

/** The result of a page handler. */
export type PageResult = ViewModel | Response;

/** Options of a change submitted by a form. */
export interface ProposalOptions {
  /** The page to redirect to after the change, below the admin. */
  readonly done: string;
  /** The tag of the subject when the form was shown: its field `tag`, which a concurrent change replaces. */
  readonly ifMatch?: string | undefined;
  /** Shows the form again with the submitted values and the errors. */
  readonly invalid: (problem: Problem) => MaybePromise<ViewModel>;
}

/** Options of a change of a password file submitted by a form. */
export interface FileReviewOptions {
  /** The page to return to without the change, below the admin. */
  readonly back: string;
  /** What the change entails, in sentences. */
  readonly effect: string;
  /** Responds after the change. */
  readonly done: (change: FileChange) => MaybePromise<PageResult>;
  /** Shows the form again with the submitted values and the errors. */
  readonly invalid: (errors: readonly FieldError[]) => MaybePromise<ViewModel>;
}

/** The argument of a page handler, after authentication and the CSRF checks. */
export interface PageContext {
  readonly event: MvcEvent;
  /** The route's parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The submitted fields; empty for GET. */
  readonly form: URLSearchParams;
  readonly session: Session;
  readonly actor: Actor;
  /** The role of the administrator, at least the one that the page requires. */
  readonly role: AdminRole;
  /** Returns the URL path of a page: `/adapters` → `/platform/admin/adapters`. Segments must be encoded. */
  readonly url: (path: string) => string;
  /** Renders a page: `adapters` → the template `platform-admin/adapters`. @param status defaults to 200 */
  readonly show: (
    template: string,
    variables?: Readonly<Record<string, unknown>>,
    status?: number,
  ) => ViewModel;
  /**
   * Redirects to the page of a review with 303, so that a browser can go back to it. It replaces the review that the form
   * is part of. A review that cannot be kept is the response itself.
   * @param status of that response; defaults to 200
   */
  readonly showReview: (
    template: string,
    variables: Readonly<Record<string, unknown>>,
    status?: number,
  ) => Promise<PageResult>;
  /** Redirects to a page with 303. @param message shown there once */
  readonly redirect: (path: string, message?: string) => Response;
  /**
   * Previews and applies a change submitted by a form. The first POST leads to the difference with the fields of the form
   * hidden in it; the confirming POST applies the change and redirects to `done`, where it can be undone. After an error
   * (403, 409, 422, 503, 507), `invalid` shows the form again; after a concurrent change (412), both versions are shown.
   *
   * @param change prepares the change from the form; its errors are handled likewise
   */
  readonly propose: (
    change: () => MaybePromise<Change | Restoration>,
    options: ProposalOptions,
  ) => Promise<PageResult>;
  /**
   * The same for a change of a password file: the first POST leads to the masked difference, the confirming POST applies the
   * prepared change, whose password is not part of the page. It cannot be undone.
   */
  readonly review: (
    change: () => MaybePromise<FileChange>,
    options: FileReviewOptions,
  ) => Promise<PageResult>;
}

export type PageHandler = (context: PageContext) => MaybePromise<PageResult>;

/** A page for signed-in administrators. */
export interface AdminPage {
  /** The route name, such as `adapters` or `adapter-new`. */
  readonly name: string;
  /** Below `/platform/admin`, e.g. `/adapters/:name`. */
  readonly pattern: string;
  /** Whether scripts request it while nobody uses the page: it does not reset the idle timeout of the session. */
  readonly isPassive?: boolean;
  /**
   * The role that POST and the forms of the page require; defaults to `administrator`, without POST to `viewer`. Every
   * role may GET.
   */
  readonly role?: AdminRole;
  /** Whether its forms may have up to 1 MiB: texts, or a row per member; otherwise up to 64 KiB. */
  readonly hasLongForm?: boolean;
  readonly GET?: PageHandler;
  readonly POST?: PageHandler;
  /** Shows the form of the page with the submitted fields, without processing it. */
  readonly edit?: PageHandler;
}

/** A page that requires no sign-in. Only the origin and the size of its forms are checked. */
export interface OpenPage {
  readonly name: string;
  readonly pattern: string;
  /** Whether to ignore `platform-admin.allow`; defaults to false. */
  readonly allNetworks?: boolean;
  readonly GET?: (event: MvcEvent) => MaybePromise<PageResult>;
  readonly POST?: (event: MvcEvent, form: URLSearchParams) => MaybePromise<PageResult>;
}
