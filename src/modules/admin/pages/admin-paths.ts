import { hasPathPrefix } from '../../../framework';

/** The path of the admin, below the base path. */
export const ADMIN_PATH = '/platform/admin';

/** Returns the page of a version of an API, below the admin. */
export function versionPath({
  api,
  version,
}: {
  readonly api: string;
  readonly version: number | string;
}): string {
  return `/apis/${encodeURIComponent(api)}-v${version}`;
}

/** The URL paths of admin pages. They never include an origin, so that a forged `Host` has no effect. */
export class AdminPaths {
  /** The path of the overview, and of the session cookie. */
  readonly home: string;

  /** @param base the base path of all routes */
  constructor(base: string) {
    this.home = `${base}${ADMIN_PATH}`;
  }

  /** `/adapters` → `/platform/admin/adapters` */
  url(path: string): string {
    return path === '/' || path === '' ? this.home : `${this.home}${path}`;
  }

  /** Returns the page of a request path, such as `/adapters`; `/` for paths outside the admin. */
  below(path: string): string {
    return path.startsWith(`${this.home}/`) ? path.slice(this.home.length) : '/';
  }

  /**
   * Returns a redirect target below the admin.
   * @param target untrusted, such as `/adapters?name=x`; targets outside the admin become the overview
   */
  safe(target: string | null | undefined): string {
    if (!target?.startsWith('/')) return this.home;
    // Resolves dots and strips control characters as a browser would.
    const url = new URL(this.url(target), 'http://local');
    const isInside = url.origin === 'http://local' && hasPathPrefix(url.pathname, this.home);
    return isInside ? url.pathname + url.search : this.home;
  }
}
