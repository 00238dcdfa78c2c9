import { problem } from '../../framework';

/** The weight of a type that a client does not want (RFC 9110, 12.4.2). */
const REFUSED = /^\s*q=0(\.0{0,3})?\s*$/i;

/** Where a request may name a version of an API. */
export interface VersionSources {
  /** The parameter of the URL's prefix `/v<n>`. */
  readonly url: string | undefined;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * The version that a request names: in the URL, or in a media type `application/vnd.<api>.v<n>+json` of `Accept`
 * or `Content-Type`. All that speak must agree, or a client could choose version 1's weaker adapter at version
 * 2's address.
 *
 * @param api the API's name; letter case does not matter in media types
 * @returns undefined where nothing names one
 * @throws Problem 400 when the sources disagree
 */
export function versionOf(api: string, { url, accept, contentType }: VersionSources): number | undefined {
  // Most requests name no vendor type: they cost two searches.
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

function mayName(field: string | undefined): boolean {
  return field !== undefined && /vnd\./i.test(field);
}

function inMediaTypes(
  api: string,
  field: string | undefined,
  name: string,
): { version: number; source: string }[] {
  if (field === undefined) return [];
  const prefix = `application/vnd.${api.toLowerCase()}.v`;
  return field.split(',').flatMap((range) => {
    const [media = '', ...parameters] = range.split(';');
    if (parameters.some((parameter) => REFUSED.test(parameter))) return [];
    const type = media.trim().toLowerCase();
    const digits = type.startsWith(prefix) ? /^(\d+)\+json$/.exec(type.slice(prefix.length))?.[1] : undefined;
    return digits === undefined ? [] : [{ version: Number(digits), source: `v${digits} in ${name}` }];
  });
}

/** The media type of an API's version. */
export function mediaTypeOf(api: string, version: number): string {
  return `application/vnd.${api.toLowerCase()}.v${version}+json`;
}
