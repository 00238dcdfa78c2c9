import { describeValue } from '../../text/describe-value';
import { truncate } from '../../text/truncate';
import { unknownOptions } from '../../text/unknown-options';
import { isObject } from '../../values/config-object';
import { TOKEN } from '../fields';

/** The attributes of a cookie (RFC 6265bis, 4.1.2). The defaults protect it. */
export interface CookieOptions {
  /** The paths to which browsers send it; defaults to `/`. */
  readonly path?: string;
  /** The host to which browsers send it, with its subdomains; defaults to the host of the request alone. */
  readonly domain?: string;
  /** Whether it is hidden from scripts; defaults to true. */
  readonly httpOnly?: boolean;
  /**
   * Whether requests from other sites have it; defaults to `Lax`: only when a user follows a link. `None` requires
   * `secure`.
   */
  readonly sameSite?: 'Strict' | 'Lax' | 'None';
  /** Whether it is sent over TLS only; defaults to true. */
  readonly secure?: boolean;
  /** Whether embedded pages have a cookie of their own in each site that embeds them (CHIPS); requires `secure`. */
  readonly partitioned?: boolean;
  /** Seconds, at most 400 days; 0 removes it. Without it, it lasts until the browser is closed. */
  readonly maxAge?: number;
}

const MAX_AGE = 34_560_000;
/** Octets of name and value, beyond which browsers ignore a cookie (RFC 6265bis, 5.7). */
const MAX_BYTES = 4_096;

const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const PATH = /^\/[\x20-\x3a\x3c-\x7e]{0,1023}$/;
const DOMAIN = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const OPTIONS: readonly string[] = [
  'path',
  'domain',
  'httpOnly',
  'sameSite',
  'secure',
  'partitioned',
  'maxAge',
] satisfies readonly (keyof CookieOptions)[];
const SAME_SITE: readonly unknown[] = ['Strict', 'Lax', 'None'];

/**
 * Returns the `Set-Cookie` value of a cookie (RFC 6265bis, 4.1). Browsers would ignore, without a message, what this
 * refuses.
 *
 * @throws TypeError for a name, value or attribute that is invalid or unknown, or that the prefix of the name excludes
 * @example serializeCookie('__Host-session', token) // '__Host-session=…; Path=/; HttpOnly; SameSite=Lax; Secure'
 */
export function serializeCookie(name: string, value: string, options: CookieOptions = {}): string {
  const {
    path = '/',
    domain,
    httpOnly = true,
    sameSite = 'Lax',
    secure = true,
    partitioned = false,
    maxAge,
  } = options;
  const invalid =
    invalidCookie(name, value, { path, sameSite, secure, partitioned, domain, maxAge }) ??
    unknownOption(options);
  if (invalid !== undefined) throw new TypeError(`The cookie ${JSON.stringify(truncate(name))} ${invalid}`);
  return [
    `${name}=${value}`,
    `Path=${path}`,
    ...(domain === undefined ? [] : [`Domain=${domain}`]),
    ...(httpOnly ? ['HttpOnly'] : []),
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
    ...(partitioned ? ['Partitioned'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ');
}

/** Such as `expires`, or an attribute as `Set-Cookie` writes it. */
function unknownOption(options: CookieOptions): string | undefined {
  const message = unknownOptions(options, OPTIONS);
  return message === undefined
    ? undefined
    : `has ${isObject(options) ? 'an' : 'invalid options:'} ${message}`;
}

/** The attributes to check; what JavaScript passes may have any type. */
interface CheckedOptions {
  readonly path: unknown;
  readonly domain: unknown;
  readonly sameSite: unknown;
  readonly secure: boolean;
  readonly partitioned: boolean;
  readonly maxAge: unknown;
}

/** Returns what is wrong, and what to do. Values may be secrets, and are not shown. */
function invalidCookie(name: unknown, value: unknown, options: CheckedOptions): string | undefined {
  if (typeof name !== 'string' || !TOKEN.test(name))
    return 'has an invalid name: use letters, digits and - _ . without spaces.';
  if (typeof value !== 'string' || !VALUE.test(value))
    return 'has an invalid value: cookies cannot contain spaces, commas, semicolons, quotes, backslashes, controls and letters beyond ASCII. Encode it, e.g. with encodeURIComponent().';
  if (name.length + value.length > MAX_BYTES)
    return `has ${name.length + value.length} bytes, which browsers ignore: at most ${MAX_BYTES} for name and value. Store the data on the server, and set its key.`;
  return invalidAttribute(options) ?? excludedByPrefix(name.toLowerCase(), options);
}

function invalidAttribute({
  path,
  domain,
  sameSite,
  secure,
  partitioned,
  maxAge,
}: CheckedOptions): string | undefined {
  if (typeof path !== 'string' || !PATH.test(path))
    return `has the path ${describeValue(path)}: begin it with "/", without semicolons.`;
  if (domain !== undefined && (typeof domain !== 'string' || !DOMAIN.test(domain)))
    return `has the domain ${describeValue(domain)}: use a host name such as "example.com".`;
  if (!SAME_SITE.includes(sameSite))
    return `has sameSite ${describeValue(sameSite)}: use "Strict", "Lax" or "None".`;
  if (maxAge !== undefined && !(Number.isInteger(maxAge) && Number(maxAge) >= 0 && Number(maxAge) <= MAX_AGE))
    return `has maxAge ${describeValue(maxAge)}: use whole seconds, at most ${MAX_AGE} (400 days).`;
  if (sameSite === 'None' && !secure) return 'has sameSite "None", which requires secure.';
  if (partitioned && !secure) return 'is partitioned, which requires secure.';
  return undefined;
}

/** Browsers compare the prefixes without case (RFC 6265bis, 4.1.3). */
function excludedByPrefix(name: string, { path, domain, secure }: CheckedOptions): string | undefined {
  const isHost = name.startsWith('__host-');
  if ((isHost || name.startsWith('__secure-')) && !secure) return 'requires secure, because of its prefix.';
  if (isHost && domain !== undefined) return 'must not have a domain, because of its prefix __Host-.';
  if (isHost && path !== '/') return 'requires the path "/", because of its prefix __Host-.';
  return undefined;
}
