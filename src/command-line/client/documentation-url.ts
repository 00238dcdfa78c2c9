import { UsageError } from '../usage-error';

/** Below the base path of a service. */
export const DOCUMENTATION = '/platform/documentation';

/** An API, as `--api` and `--version` name it. */
export interface ApiChoice {
  readonly api: string | undefined;
  /** Defaults to the default version of the API. */
  readonly version: string | undefined;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether a source is a URL, and not the path of a file. */
export const isUrl = (source: string): boolean => SCHEME.test(source);

/**
 * Returns the URL of a document: that of the documentation, or of one of its APIs.
 * @throws UsageError for a URL that is not http or https or contains credentials, and for `--api` with a URL that already names an API
 */
export function documentUrl(source: string, choice: ApiChoice): URL {
  const url = URL.canParse(source) ? new URL(source) : undefined;
  // Checked first, because the messages below repeat the URL.
  if (url !== undefined && (url.username !== '' || url.password !== ''))
    throw new UsageError(
      'The URL contains credentials, which would be visible to other users of this machine. Remove the part before the "@", and use --user <name>.',
    );
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      `"${source}" is not the URL of a document. Pass an http or https URL, such as http://localhost:8080${DOCUMENTATION}.`,
    );
  url.hash = '';
  const scope = scopeOf(choice);
  if (scope === '') return url;
  const base = url.pathname.replace(/\/+$/, '');
  if (!base.endsWith(DOCUMENTATION))
    throw new UsageError(
      `--api needs the URL of the documentation of all APIs, which ends with ${DOCUMENTATION}. "${source}" does not. Pass that URL, or leave out --api.`,
    );
  url.pathname = base + scope;
  return url;
}

/**
 * Returns the path of an API below the documentation; empty for all APIs.
 * @throws UsageError for a version without an API, and one that is not an integer from 1
 */
export function scopeOf({ api, version }: ApiChoice): string {
  if (version !== undefined && !/^[1-9]\d*$/.test(version))
    throw new UsageError(`--version "${version}" must be an integer, 1 or greater.`);
  if (api !== undefined) return `/${encodeURIComponent(api)}${version === undefined ? '' : `-v${version}`}`;
  if (version === undefined) return '';
  throw new UsageError('--version needs the name of the API. Add --api <name>.');
}
