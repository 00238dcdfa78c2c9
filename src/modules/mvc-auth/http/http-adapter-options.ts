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

/** Something that is wrong with one option. */
export interface OptionFault {
  readonly option: keyof HttpAdapterOptions;
  /** What was found and what to do, as a message about the adapter: `realm is ""; give a name …`. */
  readonly message: string;
  /** What to do, for who looks at the option anyway. */
  readonly advice: string;
}

/**
 * Everything that is wrong with options that fit the schema, but for what files say.
 *
 * @param options also incomplete ones, as a form may have them
 */
export function optionFaults(options: HttpAdapterOptions): readonly OptionFault[] {
  const schemes = new Set(options.accept_schemes);
  const faults: OptionFault[] = [];
  if (schemes.size === 0) {
    faults.push({
      option: 'accept_schemes',
      message: 'accept_schemes is empty; name "basic" or "digest"',
      advice: 'name "basic" or "digest"',
    });
  }
  if (schemes.has('basic') && schemes.has('digest') && options.allow_downgrade !== true) {
    faults.push({
      option: 'accept_schemes',
      message:
        'accept_schemes names "basic" beside "digest", so that clients would send the password in plain text; take one of them out, or set allow_downgrade to true',
      advice:
        'clients would choose Basic and send the password in plain text; take one of them out, or allow it under allow_downgrade',
    });
  }
  faults.push(...realmFaults(options.realm, schemes.has('digest')));
  if (schemes.has('basic')) faults.push(...fileFaults('htpasswd', options.htpasswd));
  if (schemes.has('digest')) faults.push(...digestFaults(options));
  return faults;
}

/** Checks the options of an adapter; throws {@link AuthConfigurationError}. */
export function checkOptions(adapter: string, options: HttpAdapterOptions): CheckedOptions {
  const [fault] = optionFaults(options);
  if (fault !== undefined) throw new AuthConfigurationError(adapter, fault.message);
  const { accept_schemes: schemes, htpasswd = '', htdigest = '', qop = ['auth'] } = options;
  return {
    realm: options.realm,
    groupFile: options.htgroup,
    basic: schemes.includes('basic') ? { file: htpasswd, weak: options.weak_hashes ?? [] } : undefined,
    digest: schemes.includes('digest')
      ? {
          file: htdigest,
          domain: (options.digest_domains ?? '').trim().replace(/ +/g, ' '),
          nonceTimeout: Number(options.nonce_timeout),
          qop: [...new Set(qop)],
        }
      : undefined,
  };
}

function found(option: OptionFault['option'], value: string, allowed: string): OptionFault {
  return { option, message: `${option} is ${JSON.stringify(value)}; ${allowed}`, advice: allowed };
}

function realmFaults(realm: string, forDigest: boolean): readonly OptionFault[] {
  const fault =
    (realm === '' && 'give a name that people can read') ||
    (/\p{Cc}/u.test(realm) && 'control characters cannot be sent; give a name that people can read') ||
    (/["\\]/.test(realm) && 'many clients cannot read a quote or a backslash in it; choose another name') ||
    (forDigest && realm.includes(':') && 'a realm of Digest has no colon; choose another name') ||
    (forDigest && realm !== realm.trim() && 'take the white space around it away');
  return fault === false ? [] : [found('realm', realm, fault)];
}

function digestFaults(options: HttpAdapterOptions): readonly OptionFault[] {
  const { digest_domains: domain = '', nonce_timeout: timeout, qop } = options;
  const faults: OptionFault[] = [];
  if (!/^[\x20-\x7e]*$/.test(domain) || /["\\]/.test(domain)) {
    faults.push(found('digest_domains', domain, 'allowed are URIs in ASCII, separated by spaces'));
  }
  const seconds = 'write a number of seconds above 0 as a string, such as "3600"';
  if (timeout === undefined) {
    faults.push({
      option: 'nonce_timeout',
      message: `nonce_timeout is missing, which Digest needs; ${seconds}`,
      advice: seconds,
    });
  } else if (!/^[1-9]\d*$/.test(timeout)) faults.push(found('nonce_timeout', timeout, seconds));
  if (qop?.length === 0) {
    const advice = 'name "auth" or "auth-int"';
    faults.push({ option: 'qop', message: `qop is empty; ${advice}`, advice });
  }
  return [...faults, ...fileFaults('htdigest', options.htdigest)];
}

function fileFaults(option: 'htpasswd' | 'htdigest', path: string | undefined): readonly OptionFault[] {
  const advice = 'name the password file';
  return path === undefined || path === ''
    ? [{ option, message: `${option} is missing; ${advice}`, advice }]
    : [];
}
