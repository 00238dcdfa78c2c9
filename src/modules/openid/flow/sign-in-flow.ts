import {
  LogLimit,
  type Deployment,
  type Log,
  type MvcEvent,
  type Response,
  type ViewModel,
} from '../../../framework';
import type { Person } from '../person';
import type { OpenidProvider } from '../provider/provider';
import { FAILURE_STATUS, SignInFailure } from '../provider/sign-in-failure';
import type { OpenidSignIn } from '../sign-in';
import type { SignInTarget } from '../sign-in-target';
import type { Flow, FlowCookie } from './flow-cookie';
import { redirectTo, type SignInPages } from './pages';
import { assertFirstUse } from './single-use';

type PageResult = ViewModel | Response;

/** Set by the redirect to the public origin, which happens once: a proxy may change `Host`. */
const MOVED = 'moved';

/** The maximum number of sign-ins of which it is known that their failure was recorded. */
const MAX_RECORDED = 10_000;

/** Starts and completes sign-ins. */
export class SignInFlow {
  readonly #signIn: OpenidSignIn;
  readonly #provider: OpenidProvider;
  readonly #cookie: FlowCookie;
  readonly #pages: SignInPages;
  readonly #deployment: Deployment;
  readonly #log: Log;
  readonly #logLimit = new LogLimit();
  /** Whether the last sign-in could not start: the metadata of the provider is missing or invalid. */
  #isDown = false;
  /** The states of sign-ins whose failure was recorded, oldest first. */
  readonly #recorded = new Set<string>();

  constructor(parts: {
    readonly signIn: OpenidSignIn;
    readonly provider: OpenidProvider;
    readonly cookie: FlowCookie;
    readonly pages: SignInPages;
    readonly deployment: Deployment;
    readonly log: Log;
  }) {
    this.#signIn = parts.signIn;
    this.#provider = parts.provider;
    this.#cookie = parts.cookie;
    this.#pages = parts.pages;
    this.#deployment = parts.deployment;
    this.#log = parts.log;
  }

  /** Redirects to the provider. */
  async start(event: MvcEvent): Promise<PageResult> {
    const { request } = event;
    const href = this.#signIn.safe(request.query.get('return'));
    const { origin, path } = this.#signIn;
    if (origin.isOther(request) && !request.query.has(MOVED))
      return redirectTo(`${origin.of(request)}${this.#signIn.url(href)}&${MOVED}`);
    const target = this.#signIn.targetOf(href);
    if (target === undefined)
      return this.#refuse(event, 'Nobody can sign in to this page with it.', { href, target });
    target.assertAllowed?.(event);
    try {
      const redirectUri = `${origin.of(request)}${path}/callback`;
      const { url, secrets } = await this.#provider.begin(redirectUri);
      this.#reportStart(undefined);
      const cookie = this.#cookie.set(
        { ...secrets, redirectUri, target: href },
        this.#signIn.isSecure(request),
      );
      return redirectTo(url.href, [cookie]);
    } catch (error) {
      if (error instanceof SignInFailure) this.#reportStart(error);
      // No user has signed in yet, and any client can request this again and again.
      return await this.#fail(event, error, { href, target }, false);
    }
  }

  /** Completes a sign-in, to which the provider has redirected the browser. */
  async finish(event: MvcEvent): Promise<PageResult> {
    const { request, response } = event;
    const flow = this.#cookie.read(request);
    // The secrets are used once, whatever happens. Those of a sign-in that began later, or that another site calls back, stay.
    // Of several cookies only that of this host would be removed, and the one of another host of the domain would count.
    if (flow?.state === request.query.get('state'))
      response.fields.append('Set-Cookie', this.#cookie.expired(this.#signIn.isSecure(request)));
    const href = this.#signIn.safe(flow?.target);
    const target = this.#signIn.targetOf(href);
    try {
      if (flow === undefined || target === undefined)
        throw new SignInFailure('expired', 'The browser has not started this sign-in, or too long ago.');
      target.assertAllowed?.(event);
      const person = await this.#personOf(event, flow);
      return await this.#accept(event, person, { href, target });
    } catch (error) {
      if (error instanceof SignInFailure) this.#reportFinish(error, request.query);
      return await this.#fail(event, error, { href, target }, this.#isFirstFailure(event, flow));
    }
  }

  /**
   * Returns whether a callback is the first of a sign-in that the browser has begun. Others can be requested as often as
   * a client wants to.
   */
  #isFirstFailure({ request }: MvcEvent, flow: Flow | undefined): boolean {
    if (flow === undefined) return false;
    const { state } = flow;
    if (request.query.get('state') !== state || this.#recorded.has(state)) return false;
    this.#recorded.add(state);
    const [oldest = ''] = this.#recorded;
    if (this.#recorded.size > MAX_RECORDED) this.#recorded.delete(oldest);
    return true;
  }

  async #personOf({ request }: MvcEvent, flow: Flow): Promise<Person> {
    const { query, rawQuery } = request;
    if (query.get('state') !== flow.state || query.getAll('state').length > 1)
      throw new SignInFailure('expired', 'The state is not that of the sign-in of this browser.');
    const person = await this.#provider.finish(new URL(`${flow.redirectUri}?${rawQuery}`), flow);
    await assertFirstUse(this.#deployment, flow.state);
    return person;
  }

  async #accept(
    event: MvcEvent,
    person: Person,
    page: { readonly href: string; readonly target: SignInTarget },
  ): Promise<PageResult> {
    const accepted = await page.target.accept(event, person);
    if ('refusal' in accepted) {
      // The provider would sign the same user in again without asking.
      const endSessionUrl = await this.#provider.endSessionUrl();
      return this.#refuse(event, accepted.refusal, { ...page, endSessionUrl });
    }
    event.response.fields.append('Set-Cookie', accepted.cookie);
    return this.#pages.continue(page.href);
  }

  #refuse(event: MvcEvent, detail: string, page: Parameters<SignInPages['refusal']>[2]): ViewModel {
    event.response.status = 403;
    return this.#pages.refusal(event, detail, page);
  }

  /** Logs the beginning and the end of an outage: while it lasts, any client can request the page again and again. */
  #reportStart(failure: SignInFailure | undefined): void {
    const isDown = failure !== undefined;
    if (isDown === this.#isDown) return;
    this.#isDown = isDown;
    const { issuer } = this.#signIn.settings;
    if (isDown)
      this.#log.warn(
        { code: failure.code, issuer },
        `Nobody can sign in with the OpenID provider until it is available: ${failure.message}`,
      );
    else this.#log.warn({ issuer }, 'The OpenID provider is available again.');
  }

  /**
   * Logs why sign-ins fail that the operator has to repair. Clients can write the errors of a callback, which must not
   * use up the lines about those of the provider.
   * @param query of the callback
   */
  #reportFinish({ code, message }: SignInFailure, query: MvcEvent['request']['query']): void {
    const source = query.has('error') ? 'callback' : 'provider';
    if (FAILURE_STATUS[code] < 500 || !this.#logLimit.allows(source, message)) return;
    this.#log.warn({ code, issuer: this.#signIn.settings.issuer }, `Sign-in failed: ${message}`);
  }

  /** @param isRecorded whether the target is notified */
  async #fail(
    event: MvcEvent,
    error: unknown,
    page: { readonly href: string; readonly target: SignInTarget | undefined },
    isRecorded: boolean,
  ): Promise<PageResult> {
    if (!(error instanceof SignInFailure)) throw error;
    const { code, providerError } = error;
    event.response.status = FAILURE_STATUS[code];
    if (code === 'unavailable') event.response.fields.set('Retry-After', '60');
    if (isRecorded) await page.target?.failed?.(event, error);
    const endSessionUrl = code === 'denied' ? await this.#provider.endSessionUrl() : undefined;
    return this.#pages.failure(event, code, { ...page, providerError, endSessionUrl });
  }
}
