import { AuthConfigurationError } from './auth-configuration-error';
import type { WeakKind } from '../password-files/hashes/weak-hash';
import type { QualityOfProtection } from './digest/digest-credentials';

/** The options of an adapter as they stand in configuration (specification, 2.7). */
export interface HttpAdapterOptions {
  accept_schemes: ('basic' | 'digest')[];
  /** Printable text without quotes; for Digest without a colon. */
  realm: string;
  /** The password file of Basic, relative to the project root. */
  htpasswd?: string;
  /** What of `htpasswd` is taken though it protects nothing: nothing unless told. */
  weak_hashes?: WeakKind[];
  /** The password file of Digest, relative to the project root. */
  htdigest?: string;
  /** The group file, relative to the project root. */
  htgroup?: string;
  /** URIs separated by spaces; empty omits `domain`. */
  digest_domains?: string;
  /** Seconds for which a nonce may be used, as a string of digits. */
  nonce_timeout?: string;
  /** What digests may cover: `auth` unless told. */
  qop?: QualityOfProtection[];
  /** Basic beside Digest is refused unless this is true: clients would pick Basic. */
  allow_downgrade?: boolean;
}

/** The options after they were checked. */
export interface CheckedOptions {
  readonly realm: string;
  readonly groupFile: string | undefined;
  readonly basic: { readonly file: string; readonly weak: readonly WeakKind[] } | undefined;
  readonly digest:
    | {
        readonly file: string;
        readonly domain: string;
        readonly nonceTimeout: number;
        readonly qop: readonly QualityOfProtection[];
      }
    | undefined;
}

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
  checkRealm(adapter, options.realm);
  return {
    realm: options.realm,
    groupFile: options.htgroup,
    basic: schemes.has('basic')
      ? { file: fileOf(adapter, 'htpasswd', options.htpasswd), weak: options.weak_hashes ?? [] }
      : undefined,
    digest: schemes.has('digest') ? checkDigest(adapter, options) : undefined,
  };
}

function found(adapter: string, key: string, value: string, allowed: string): AuthConfigurationError {
  return new AuthConfigurationError(adapter, `${key} is ${JSON.stringify(value)}; ${allowed}`);
}

function checkRealm(adapter: string, realm: string): void {
  const fault =
    (realm === '' && 'give a name that people can read') ||
    (/\p{Cc}/u.test(realm) && 'control characters cannot be sent; give a name that people can read') ||
    (/["\\]/.test(realm) && 'many clients cannot read a quote or a backslash in it; choose another name');
  if (fault !== false) throw found(adapter, 'realm', realm, fault);
}

function checkDigest(adapter: string, options: HttpAdapterOptions): NonNullable<CheckedOptions['digest']> {
  const { realm, digest_domains: domain = '', nonce_timeout: timeout, qop = ['auth'] } = options;
  if (realm.includes(':'))
    throw found(adapter, 'realm', realm, 'a realm of Digest has no colon; choose another name');
  if (realm !== realm.trim()) throw found(adapter, 'realm', realm, 'take the white space around it away');
  if (!/^[\x20-\x7e]*$/.test(domain) || /["\\]/.test(domain)) {
    throw found(adapter, 'digest_domains', domain, 'allowed are URIs in ASCII, separated by spaces');
  }
  const seconds = 'write a number of seconds above 0 as a string, such as "3600"';
  if (timeout === undefined) {
    throw new AuthConfigurationError(adapter, `nonce_timeout is missing, which Digest needs; ${seconds}`);
  }
  if (!/^[1-9]\d*$/.test(timeout)) throw found(adapter, 'nonce_timeout', timeout, seconds);
  if (qop.length === 0) throw new AuthConfigurationError(adapter, 'qop is empty; name "auth" or "auth-int"');
  return {
    file: fileOf(adapter, 'htdigest', options.htdigest),
    domain: domain.trim().replace(/ +/g, ' '),
    nonceTimeout: Number(timeout),
    qop: [...new Set(qop)],
  };
}

function fileOf(adapter: string, key: string, path: string | undefined): string {
  if (path !== undefined && path !== '') return path;
  throw new AuthConfigurationError(adapter, `${key} is missing; name the password file`);
}
