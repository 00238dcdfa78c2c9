import { UsageError } from '../usage-error';

const SCHEMES: readonly string[] = ['http:', 'https:'];

/**
 * Parses the value of `--origin`, to which paths are appended.
 * @returns origin and base path, without a trailing slash
 * @throws UsageError for anything but an http or https URL without credentials, query and fragment
 */
export function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.includes(url.protocol)) {
    throw new UsageError(
      `--origin "${text}" is not the URL of a service. Pass an http or https URL, such as http://localhost:8080.`,
    );
  }
  // Checked first, because the messages below repeat the URL, which must not print a password.
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      '--origin contains credentials, but the check runs as a guest. Remove the part before the "@".',
    );
  }
  // Even an empty query or fragment would absorb the appended path.
  const extra = /[?#]/.exec(text)?.[0];
  if (extra !== undefined) {
    const name = extra === '?' ? 'a query' : 'a fragment';
    throw new UsageError(
      `--origin "${text}" contains ${name}, so paths cannot be appended. Remove everything from "${extra}".`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
