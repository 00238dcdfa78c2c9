/** Where the admin stands, behind the base path. */
export const ADMIN_PATH = '/platform/admin';

/** The addresses of admin pages: paths, never with an origin, so that a forged `Host` leads nowhere. */
export class AdminPaths {
  /** The path of the overview, and of the session cookie. */
  readonly home: string;

  /** @param base the path before every route */
  constructor(base: string) {
    this.home = `${base}${ADMIN_PATH}`;
  }

  /** `/adapters` → `/platform/admin/adapters` */
  url(path: string): string {
    return path === '/' || path === '' ? this.home : `${this.home}${path}`;
  }

  /** The page that a request's path is of, `/adapters`; `/` for what is none. */
  below(path: string): string {
    return path.startsWith(`${this.home}/`) ? path.slice(this.home.length) : '/';
  }

  /**
   * A page that somebody asks to be led to: whatever they write, it stays below the admin.
   * @param wanted such as `/adapters?name=x`; what is none of the admin's becomes the overview
   */
  safe(wanted: string | null | undefined): string {
    if (!wanted?.startsWith('/')) return this.home;
    // Resolves dots and strips control characters as a browser would.
    const url = new URL(this.url(wanted), 'http://local');
    const isOurs =
      url.origin === 'http://local' &&
      (url.pathname === this.home || url.pathname.startsWith(`${this.home}/`));
    return isOurs ? url.pathname + url.search : this.home;
  }
}
