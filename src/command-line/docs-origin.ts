import { StartError } from '../framework';

const SCHEMES: readonly string[] = ['http:', 'https:'];

/**
 * Where a service runs, as it is written after `--origin`: addresses are made by adding a path to it.
 * @returns origin and base path, without a slash at the end
 * @throws StartError for what is no address of a service, and for an address that no path can be added to
 */
export function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.includes(url.protocol)) {
    throw new StartError(
      `--origin "${text}" is no address of a service. Write an http or https URL, such as http://localhost:8080.`,
    );
  }
  // Before anything else is said of it: a password is not to be repeated.
  if (url.username !== '' || url.password !== '') {
    throw new StartError(
      '--origin holds a user or a password, and the check calls as a guest. Leave out what stands before the "@".',
    );
  }
  // One that is empty, too, would swallow the path.
  const extra = /[?#]/.exec(text)?.[0];
  if (extra !== undefined) {
    const name = extra === '?' ? 'a query' : 'a fragment';
    throw new StartError(
      `--origin "${text}" holds ${name}, which no path can be added to. Leave out what begins with "${extra}".`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
