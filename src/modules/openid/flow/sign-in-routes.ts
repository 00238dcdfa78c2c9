import {
  Listeners,
  MethodTable,
  priorities,
  Response,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Router,
  type RouteTarget,
  type ViewModel,
} from '../../../framework';
import type { OpenidProvider } from '../provider/provider';
import type { ReaderSessions } from '../readers/reader-sessions';
import { SIGN_IN_PATH, type OpenidSignIn } from '../sign-in';
import { redirectTo, type SignInPages } from './pages';
import type { SignInFlow } from './sign-in-flow';

/** The prefix of the names of the routes. */
const ROUTE_PREFIX = 'openid:';

/** Of pages with forms and sessions. The URL of a callback contains the code, which no other site may receive. */
export const PAGE_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  // With `no-referrer`, browsers would send forms with `Origin: null`.
  ['Referrer-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
  ['X-Robots-Tag', 'noindex'],
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
];

interface RouteParts {
  readonly signIn: OpenidSignIn;
  readonly flow: SignInFlow;
  readonly pages: SignInPages;
  readonly provider: OpenidProvider;
  readonly readers: ReaderSessions | undefined;
}

type Handler = (event: MvcEvent) => MaybePromise<ViewModel | Response>;

/** Adds the routes of the sign-in. */
export function addSignInRoutes(router: Router<RouteTarget>, parts: RouteParts): void {
  const { signIn, flow, pages, provider, readers } = parts;
  const add = (name: string, method: string, below: string, handler: Handler): void => {
    const endpoint = Object.freeze({ name: `sign-in ${name}`, handler });
    router.add(ROUTE_PREFIX + name, SIGN_IN_PATH + below, {
      methods: new MethodTable({ [method]: endpoint }),
    });
  };
  const returnOf = ({ request }: MvcEvent): string => signIn.safe(request.query.get('return'));
  add('start', 'GET', '', (event) => flow.start(event));
  add('callback', 'GET', '/callback', (event) => flow.finish(event));
  add('signed-out', 'GET', '/signed-out', async (event) =>
    pages.signedOut(returnOf(event), await provider.endSessionUrl()),
  );
  if (readers === undefined) return;
  add('session', 'GET', '/session', (event) => {
    const name = signIn.readerOf(event)?.identity.name ?? null;
    return new Response(200, JSON.stringify({ name }), [['Content-Type', 'application/json']]);
  });
  add('account', 'GET', '/account', (event) => {
    const { name, groups = [] } = signIn.readerOf(event)?.identity ?? {};
    return typeof name === 'string' ? pages.account(name, groups) : redirectTo(signIn.path);
  });
  add('sign-out', 'POST', '/sign-out', (event) => {
    // Forms of other sites do not have the cookie: they cannot sign anybody out.
    const cookies = readers.isIn(event.request) ? [readers.expired(signIn.isSecure(event.request))] : [];
    return redirectTo(`${signIn.path}/signed-out`, cookies);
  });
}

/** Adds header fields to the responses of the sign-in. */
export class SignInFields extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [events.attach('response', addFields, priorities.response.fields + 1)];
  }
}

function addFields({ match, response }: MvcEvent): void {
  // The routes of an API named `openid` have names that begin alike, but no methods of their own.
  if (match?.route.name.startsWith(ROUTE_PREFIX) !== true || match.route.target.methods === undefined) return;
  for (const [name, value] of PAGE_HEADERS) response.fields.set(name, value);
}
