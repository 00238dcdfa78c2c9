import { Response, ViewModel, type MvcEvent } from '../../../framework';
import type { FailureCode } from '../provider/sign-in-failure';
import type { OpenidSignIn } from '../sign-in';
import type { SignInTarget } from '../sign-in-target';

interface PageLink {
  readonly label: string;
  readonly href: string;
}

/** The page that a sign-in was for, and where the user can sign out of the provider, to use another account. */
interface FailedSignIn {
  readonly href: string;
  readonly target: SignInTarget | undefined;
  readonly endSessionUrl?: string | undefined;
}

/** Titles and explanations of failures. `label` is the name of the provider. */
const TEXTS: Readonly<Record<FailureCode, (label: string) => readonly [title: string, detail: string]>> = {
  expired: () => [
    'This sign-in has expired',
    'Sign-ins have to be completed within 10 minutes, in the browser that started them. Sign in again.',
  ],
  replayed: () => ['This sign-in was already completed', 'Each sign-in works once. Sign in again.'],
  denied: (label) => [
    'You are not signed in',
    `${label} did not grant access. Sign in again, with another account if you have one.`,
  ],
  refused_by_provider: (label) => [
    'Sign-in failed',
    `${label} did not accept the request of this service. Ask its operator to compare the client and the redirect URI with those that are registered; its log has the reason.`,
  ],
  invalid_response: (label) => [
    'Sign-in failed',
    `The response of ${label} could not be verified. Ask the operator of this service; its log has the reason.`,
  ],
  unavailable: (label) => [
    `${label} cannot be reached`,
    'Signing in with it does not work at the moment; everything else does. Try again in a minute.',
  ],
};

/** The pages of the sign-in. */
export class SignInPages {
  readonly #signIn: OpenidSignIn;

  constructor(signIn: OpenidSignIn) {
    this.#signIn = signIn;
  }

  /**
   * Leads to a page from this site: after the redirect of the provider, which is another site, browsers would withhold
   * cookies with `SameSite=Strict`.
   */
  continue(href: string): ViewModel {
    return view('continue', { href });
  }

  /** @param code of the failure. @param providerError such as `access_denied` */
  failure(
    event: MvcEvent,
    code: FailureCode,
    page: FailedSignIn & { readonly providerError?: string | undefined },
  ): ViewModel {
    const [title, detail] = TEXTS[code](this.#signIn.settings.label);
    return this.#message(event, { title, detail, providerError: page.providerError }, page);
  }

  /** @param detail a sentence with the reason and the next step */
  refusal(event: MvcEvent, detail: string, page: FailedSignIn): ViewModel {
    return this.#message(event, { title: 'You cannot sign in here', detail }, page);
  }

  signedOut(href: string, endSessionUrl: string | undefined): ViewModel {
    const { label } = this.#signIn.settings;
    const links = [
      { label: 'Sign in again', href: this.#signIn.url(href) },
      ...this.#signOutOf(endSessionUrl),
    ];
    const detail =
      endSessionUrl === undefined
        ? 'You are signed out of this service.'
        : `You are signed out of this service, and still signed in to ${label}.`;
    return view('message', { title: 'Signed out', detail, links });
  }

  account(name: string, groups: readonly string[]): ViewModel {
    return view('account', { name, groups, signOut: `${this.#signIn.path}/sign-out` });
  }

  #message(
    event: MvcEvent,
    texts: { readonly title: string; readonly detail: string; readonly providerError?: string | undefined },
    { href, target, endSessionUrl }: FailedSignIn,
  ): ViewModel {
    const alternative = target?.alternative;
    const links: readonly PageLink[] = [
      ...(target === undefined
        ? []
        : [{ label: `Sign in with ${this.#signIn.settings.label}`, href: this.#signIn.url(href) }]),
      ...(alternative === undefined ? [] : [{ label: alternative.label, href: alternative.path }]),
      ...this.#signOutOf(endSessionUrl),
    ];
    return view('message', { ...texts, status: event.response.status, links });
  }

  #signOutOf(endSessionUrl: string | undefined): readonly PageLink[] {
    if (endSessionUrl === undefined) return [];
    return [{ label: `Sign out of ${this.#signIn.settings.label}`, href: endSessionUrl }];
  }
}

function view(template: string, variables: Readonly<Record<string, unknown>>): ViewModel {
  return new ViewModel(variables, { template: `platform-openid/${template}` });
}

export function redirectTo(href: string, cookies: readonly string[] = []): Response {
  return new Response(303, null, [
    ['Location', href],
    ...cookies.map((cookie) => ['Set-Cookie', cookie] as const),
  ]);
}
