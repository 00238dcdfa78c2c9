import { Session, type Credentials, type Scheme } from './session';
import { Sessions } from './sessions';

/** The options of {@link createFetch}. */
export interface FetchOptions {
  readonly username: string;
  readonly password: string;
  /** The schemes that may be used: with `['digest']`, a server cannot ask for the password. Defaults to both. */
  readonly schemes?: readonly ('basic' | 'digest')[];
  /** Sends the requests; defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The largest body of a 401 that is read, so that its connection can be used again, in bytes. */
const MAX_DISCARDED = 65_536;

/** A new nonce can expire on the way. */
const MAX_ATTEMPTS = 3;

/**
 * Returns a `fetch` that signs in with Digest (RFC 7616) or Basic (RFC 7617) when a server asks for it, and continues with
 * the nonce of the server. It sends a body again unless it is a stream: send a request without one first. Requests that
 * have an `Authorization` are sent as they are.
 *
 * In a browser, `credentials` defaults to `omit`, so that it does not ask the user for a password.
 *
 * @throws TypeError for an unknown scheme, and credentials that are not strings
 * @example
 * const fetch = createFetch({ username: 'guide', password: 'explore' });
 * const response = await fetch('https://api.example.com/notes');
 */
export function createFetch(options: FetchOptions): typeof globalThis.fetch {
  const { username, password, schemes = ['digest', 'basic'], fetch: send = globalThis.fetch } = options;
  assertOptions(username, password, schemes);
  const sessions = new Sessions<Session>();
  return (input, init) => fetchWith({ username, password }, { schemes, sessions, send }, input, init);
}

function assertOptions(username: unknown, password: unknown, schemes: readonly unknown[]): void {
  for (const [name, value] of Object.entries({ username, password }))
    if (typeof value !== 'string')
      throw new TypeError(`createFetch(): ${name} is ${typeof value}. Pass a string.`);
  const unknown = schemes.find((one) => one !== 'basic' && one !== 'digest');
  if (unknown !== undefined)
    throw new TypeError(
      `createFetch(): the scheme ${JSON.stringify(unknown)} is unknown. Supported: "digest", "basic".`,
    );
}

type Fetch = typeof globalThis.fetch;

interface Client {
  readonly schemes: readonly Scheme[];
  readonly sessions: Sessions<Session>;
  readonly send: Fetch;
}

async function fetchWith(
  credentials: Credentials,
  { schemes, sessions, send }: Client,
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1] = {},
): Promise<Response> {
  const isRequest = input instanceof Request;
  const isRepeatable = !isStream(init.body);
  // In a browser, only a request that omits credentials gets a 401 without a dialog.
  const options = { credentials: 'omit', ...init } as const;
  const makeRequest = (): Request =>
    withoutEmptyQuery(new Request(isRequest && isRepeatable ? input.clone() : input, options));
  let request = makeRequest();
  if (request.headers.has('authorization')) return send(request);
  const url = new URL(request.url);
  let session = sessions.find(url);
  for (let attempt = 1; ; attempt++) {
    if (session !== undefined) {
      const { method } = request;
      const covered = request;
      const body = async (): Promise<Uint8Array> => new Uint8Array(await covered.clone().arrayBuffer());
      request.headers.set('Authorization', await session.authorize(credentials, { method, url, body }));
    }
    const response = await send(request);
    if (response.status !== 401) {
      session?.follow(response);
      return response;
    }
    const next = Session.from(response, schemes);
    // The credentials are wrong, unless the challenge was an old one.
    const isRefused = session !== undefined && attempt > 1 && next?.isStale !== true;
    if (
      next === undefined ||
      isRefused ||
      attempt === MAX_ATTEMPTS ||
      !isRepeatable ||
      isElsewhere(response, url)
    )
      return response;
    await discard(response);
    session = next;
    sessions.set(url, next);
    request = makeRequest();
  }
}

/** Digest covers the target: browsers and Node.js 24 send the question mark of `/notes?`, and earlier versions do not. */
function withoutEmptyQuery(request: Request): Request {
  const url = new URL(request.url);
  if (url.search === '') url.search = '';
  return url.href === request.url ? request : new Request(url, request);
}

/** Whether a redirect led to another resource, for which the user has given no credentials. */
function isElsewhere({ redirected, url }: Response, requested: URL): boolean {
  return redirected && url !== requested.href;
}

/** Whether a body can be read only once. */
function isStream(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    (body instanceof ReadableStream || Symbol.asyncIterator in body)
  );
}

async function discard(response: Response): Promise<void> {
  const length = Number(response.headers.get('content-length') ?? Infinity);
  if (length <= MAX_DISCARDED) await response.arrayBuffer();
  else await response.body?.cancel();
}
