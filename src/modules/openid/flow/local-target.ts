/**
 * Returns a redirect target of this service: path, query and fragment.
 * @param base the path prefix of every route
 * @param target untrusted; anything but a page of the platform becomes the documentation
 */
export function localTarget(base: string, target: string | null | undefined): string {
  const home = `${base}/platform/documentation`;
  if (target?.startsWith('/') !== true) return home;
  // Resolves dots and strips control characters as a browser would.
  if (!URL.canParse(target, 'http://local')) return home;
  const url = new URL(target, 'http://local');
  if (url.origin !== 'http://local') return home;
  const isPage =
    url.pathname.startsWith(`${base}/platform/`) && !url.pathname.startsWith(`${base}/platform/sign-in`);
  const encoded = url.pathname + url.search + url.hash;
  return isPage && encoded.length <= MAX_LENGTH ? encoded : home;
}

/** Of a percent-encoded target. Longer ones would not fit into the cookie of the sign-in. */
const MAX_LENGTH = 1_000;
