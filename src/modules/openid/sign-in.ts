import { hasPathPrefix, type MvcEvent, type Request, type Services } from '../../framework';
import { localTarget } from './flow/local-target';
import type { PublicOrigin } from './flow/origin';
import type { FoundReader, ReaderSessions } from './readers/reader-sessions';
import type { OpenidSettings } from './settings';
import type { SignInTarget } from './sign-in-target';

/** The path of the sign-in, below the base path. */
export const SIGN_IN_PATH = '/platform/sign-in';
/** The path that completes a sign-in, below the base path: the provider redirects the browser to it. */
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;

/** The sign-in with an OpenID provider, for modules with pages. */
export class OpenidSignIn {
  readonly settings: OpenidSettings;
  /** The URL path of the sign-in. */
  readonly path: string;
  readonly origin: PublicOrigin;
  readonly #base: string;
  readonly #readers: ReaderSessions | undefined;
  readonly #targets: SignInTarget[] = [];

  /**
   * @param base the path prefix of every route
   * @param readers undefined if readers of the documentation cannot sign in
   */
  constructor(
    settings: OpenidSettings,
    parts: {
      readonly base: string;
      readonly origin: PublicOrigin;
      readonly readers: ReaderSessions | undefined;
    },
  ) {
    this.settings = settings;
    this.#base = parts.base;
    this.#readers = parts.readers;
    this.origin = parts.origin;
    this.path = parts.base + SIGN_IN_PATH;
  }

  /** Adds pages that users sign in to. The first target whose path matches is used. */
  addTarget(target: SignInTarget): void {
    this.#targets.unshift(target);
  }

  /** Undefined for a page that nobody signs in to. @param path of the page to return to */
  targetOf(path: string): SignInTarget | undefined {
    const [bare = ''] = path.split(/[?#]/, 1);
    return this.#targets.find((target) => hasPathPrefix(bare, target.path));
  }

  /** Returns the URL that starts a sign-in. @param target the page to return to, with the base path */
  url(target: string): string {
    return `${this.path}?return=${encodeURIComponent(target)}`;
  }

  /** Returns a page that users sign in to. @param target untrusted; anything else becomes the first page of them */
  safe(target: string | null | undefined): string {
    const page = localTarget(this.#base, target);
    return this.targetOf(page) === undefined ? (this.#targets[0]?.path ?? page) : page;
  }

  /** Whether readers of the documentation can sign in. */
  get hasReaders(): boolean {
    return this.#readers !== undefined;
  }

  /** The signed-in reader of a request for documentation. Everything else ignores the cookie. */
  readerOf({ request }: Pick<MvcEvent, 'request'>): FoundReader | undefined {
    return this.#readers?.find(request, this.isSecure(request));
  }

  isSecure(request: Request): boolean {
    return this.origin.isSecure(request);
  }
}

/** Whether readers of the documentation can sign in with OpenID Connect. */
export async function readersCanSignIn(services: Services): Promise<boolean> {
  return services.has(OpenidSignIn) && (await services.get(OpenidSignIn)).hasReaders;
}
