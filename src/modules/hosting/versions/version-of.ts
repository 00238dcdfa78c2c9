import { problem, splitOutsideQuotes } from '../../../framework';

/** The weight of a rejected type (RFC 9110, 12.4.2). */
const REFUSED = /^\s*q=0(\.0{0,3})?\s*$/i;

/** Where a request can name an API version. */
export interface VersionSources {
  /** The version in the URL prefix `/v<n>`. */
  readonly url: string | undefined;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * Returns the version that a request names: in the URL, or in a media type `application/vnd.<api>.v<n>+json` of
 * `Accept` or `Content-Type`. All must agree; otherwise a client could select the weaker authentication of another
 * version.
 *
 * @param api API name; media types are case-insensitive
 * @returns undefined if none is named
 * @throws Problem 400 if the sources disagree
 */
export function versionOf(api: string, { url, accept, contentType }: VersionSources): number | undefined {
  // Fast path: most requests name no vendor type.
  if (!mayName(accept) && !mayName(contentType)) return url === undefined ? undefined : Number(url);
  const named = [
    ...(url === undefined ? [] : [{ version: Number(url), source: `v${url} in the URL` }]),
    ...inMediaTypes(api, accept, 'Accept'),
    ...inMediaTypes(api, contentType, 'Content-Type'),
  ];
  const [first] = named;
  if (first !== undefined && named.some(({ version }) => version !== first.version)) {
    throw problem('versions_disagree', { sources: named.map(({ source }) => source) });
  }
  return first?.version;
}

/**
 * Returns the headers that name a version, on which the response depends (RFC 9110, 12.5.5).
 * @returns any of `Accept` and `Content-Type`
 */
export function versionFields(
  api: string,
  { accept, contentType }: Omit<VersionSources, 'url'>,
): readonly string[] {
  return [
    ...(mayName(accept) && inMediaTypes(api, accept, 'Accept').length > 0 ? ['Accept'] : []),
    ...(mayName(contentType) && inMediaTypes(api, contentType, 'Content-Type').length > 0
      ? ['Content-Type']
      : []),
  ];
}

function mayName(field: string | undefined): boolean {
  // Most types have no point at all, which is found sooner.
  return field !== undefined && field.includes('.') && /vnd\./i.test(field);
}

function inMediaTypes(
  api: string,
  field: string | undefined,
  name: string,
): { version: number; source: string }[] {
  if (field === undefined) return [];
  const prefix = `application/vnd.${api.toLowerCase()}.v`;
  return splitOutsideQuotes(field, ',').flatMap((range) => {
    const [media = '', ...parameters] = splitOutsideQuotes(range, ';');
    if (parameters.some((parameter) => REFUSED.test(parameter))) return [];
    const type = media.trim().toLowerCase();
    const digits = type.startsWith(prefix) ? /^(\d+)\+json$/.exec(type.slice(prefix.length))?.[1] : undefined;
    return digits === undefined ? [] : [{ version: Number(digits), source: `v${digits} in ${name}` }];
  });
}

/** Returns the media type of an API version. */
export function mediaTypeOf(api: string, version: number): string {
  return `application/vnd.${api.toLowerCase()}.v${version}+json`;
}
