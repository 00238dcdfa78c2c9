import { AuthConfigurationError } from './auth-configuration-error';

/** The options of an adapter as they stand in configuration (specification, 2.7). */
export interface HttpAdapterOptions {
  accept_schemes: ('basic' | 'digest')[];
  /** Printable text; for Digest without a colon. */
  realm: string;
  /** The password file of Basic, relative to the project root. */
  htpasswd?: string;
  /** The password file of Digest, relative to the project root. */
  htdigest?: string;
  /** URIs separated by spaces; empty omits `domain`. */
  digest_domains?: string;
  /** Seconds for which a nonce may be used, as a string of digits; 3600 when it is not said. */
  nonce_timeout?: string;
  /** Basic beside Digest is refused unless this is true: clients would pick Basic. */
  allow_downgrade?: boolean;
}

/** The options after they were checked. */
export interface CheckedOptions {
  readonly realm: string;
  readonly basic: { readonly file: string } | undefined;
  readonly digest:
    { readonly file: string; readonly domain: string; readonly nonceTimeout: number } | undefined;
}

const DEFAULT_NONCE_TIMEOUT = '3600';

/** Checks the options of an adapter; throws {@link AuthConfigurationError}. */
export function checkOptions(adapter: string, options: HttpAdapterOptions): CheckedOptions {
  const fail = (message: string): never => {
    throw new AuthConfigurationError(adapter, message);
  };
  const schemes = new Set(options.accept_schemes);
  if (schemes.size === 0) fail('accept_schemes is empty; name "basic" or "digest"');
  if (schemes.has('basic') && schemes.has('digest') && options.allow_downgrade !== true) {
    fail(
      'accept_schemes names "basic" beside "digest", so that clients would send the password in plain text; take one of them out, or set allow_downgrade to true',
    );
  }
  if (options.realm === '' || /\p{Cc}/u.test(options.realm)) {
    fail('realm is empty or has control characters; give a name that people can read');
  }
  return {
    realm: options.realm,
    basic: schemes.has('basic') ? { file: fileOf(adapter, 'htpasswd', options.htpasswd) } : undefined,
    digest: schemes.has('digest') ? checkDigest(adapter, options) : undefined,
  };
}

function checkDigest(adapter: string, options: HttpAdapterOptions): NonNullable<CheckedOptions['digest']> {
  const { realm, digest_domains: domain = '', nonce_timeout: timeout = DEFAULT_NONCE_TIMEOUT } = options;
  const found = (key: string, value: string, allowed: string): AuthConfigurationError =>
    new AuthConfigurationError(adapter, `${key} is ${JSON.stringify(value)}; ${allowed}`);
  if (realm.includes(':')) throw found('realm', realm, 'a realm of Digest has no colon; choose another name');
  if (realm !== realm.trim()) throw found('realm', realm, 'take the white space around it away');
  if (!/^[\x20-\x7e]*$/.test(domain) || /["\\]/.test(domain)) {
    throw found('digest_domains', domain, 'allowed are URIs in ASCII, separated by spaces');
  }
  if (!/^[1-9]\d*$/.test(timeout)) {
    throw found('nonce_timeout', timeout, 'write a number of seconds above 0 as a string, such as "3600"');
  }
  return {
    file: fileOf(adapter, 'htdigest', options.htdigest),
    domain: domain.trim().replace(/ +/g, ' '),
    nonceTimeout: Number(timeout),
  };
}

function fileOf(adapter: string, key: string, path: string | undefined): string {
  if (path !== undefined && path !== '') return path;
  throw new AuthConfigurationError(adapter, `${key} is missing; name the password file`);
}
