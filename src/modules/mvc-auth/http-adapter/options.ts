import { AuthConfigurationError } from './auth-configuration-error';
import type { WeakKind } from '../passwords/hashes/weak-hash';
import type { QualityOfProtection } from '../http/digest/digest-credentials';
import type { UserTableSettings } from '../users/user-table-settings';
import { sourceIssues } from './source-options';

/** The configured options of an `HttpAdapter` (specification, 2.7). */
export interface HttpAdapterOptions {
  accept_schemes: ('basic' | 'digest')[];
  /** Printable text without quotes, and for Digest without a colon. */
  realm: string;
  /** The password file for Basic, relative to the project root. */
  htpasswd?: string;
  /** Weak kinds of stored passwords to accept; defaults to none. */
  weak_hashes?: WeakKind[];
  /** The password file for Digest, relative to the project root. */
  htdigest?: string;
  /** The group file, relative to the project root. */
  htgroup?: string;
  /** A database table that contains the users, in place of password files. */
  users?: UserTableSettings;
  /** The name of a service that knows the users, in place of password files. */
  source?: string;
  /** URIs separated by spaces; if empty, challenges have no `domain`. */
  digest_domains?: string;
  /** Nonce lifetime in seconds, as a string of digits. */
  nonce_timeout?: string;
  /** Defaults to `auth`. */
  qop?: QualityOfProtection[];
  /** Required for Basic together with Digest, as clients may choose Basic. */
  allow_downgrade?: boolean;
}

/** Validated options. */
export interface CheckedOptions {
  readonly realm: string;
  readonly groupFile: string | undefined;
  readonly users: UserTableSettings | undefined;
  readonly source: string | undefined;
  /** Its file is empty for users that are not in files. */
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

/** A mistake in one option. */
export interface OptionIssue {
  readonly option: keyof HttpAdapterOptions;
  /** What is wrong and what to do, for messages about the adapter: `realm is ""; write …`. */
  readonly message: string;
  /** What to do, for display next to the option. */
  readonly advice: string;
}

/**
 * Validates options that match the schema, without reading files.
 *
 * @param options possibly incomplete, as from a form
 */
export function optionIssues(options: HttpAdapterOptions): readonly OptionIssue[] {
  const schemes = new Set(options.accept_schemes);
  const issues: OptionIssue[] = [];
  if (schemes.size === 0) {
    issues.push({
      option: 'accept_schemes',
      message: 'accept_schemes is empty; write "basic" or "digest"',
      advice: 'write "basic" or "digest"',
    });
  }
  if (schemes.has('basic') && schemes.has('digest') && options.allow_downgrade !== true) {
    issues.push({
      option: 'accept_schemes',
      message:
        'accept_schemes contains both "basic" and "digest", so that clients may choose Basic and send the password in plain text; remove one of them, or set allow_downgrade to true',
      advice:
        'clients may choose Basic and send the password in plain text; remove one of them, or set allow_downgrade',
    });
  }
  issues.push(...realmIssues(options.realm, schemes.has('digest')));
  const hasFiles = options.users === undefined && options.source === undefined;
  if (hasFiles && schemes.has('basic')) issues.push(...fileIssues('htpasswd', options.htpasswd));
  if (schemes.has('digest')) issues.push(...digestIssues(options));
  if (hasFiles && schemes.has('digest')) issues.push(...fileIssues('htdigest', options.htdigest));
  return [...issues, ...sourceIssues(options)];
}

/** Validates the options of an adapter. @throws AuthConfigurationError */
export function parseOptions(adapter: string, options: HttpAdapterOptions): CheckedOptions {
  const issues = optionIssues(options);
  if (issues.length > 0)
    throw new AuthConfigurationError(adapter, issues.map(({ message }) => message).join('. '));
  const { accept_schemes: schemes, htpasswd = '', htdigest = '', qop = ['auth'] } = options;
  return {
    realm: options.realm,
    groupFile: options.htgroup,
    users: options.users,
    source: options.source,
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

function invalid(option: OptionIssue['option'], value: string, allowed: string): OptionIssue {
  return { option, message: `${option} is ${JSON.stringify(value)}; ${allowed}`, advice: allowed };
}

function realmIssues(realm: string, forDigest: boolean): readonly OptionIssue[] {
  const advice =
    (realm === '' && 'write a readable name') ||
    (/\p{Cc}/u.test(realm) && 'control characters are not allowed; write a readable name') ||
    (/["\\]/.test(realm) && 'quotes and backslashes break many clients; choose another name') ||
    (forDigest && realm.includes(':') && 'Digest does not allow a colon; choose another name') ||
    (forDigest && realm !== realm.trim() && 'remove leading and trailing white space');
  return advice === false ? [] : [invalid('realm', realm, advice)];
}

function digestIssues(options: HttpAdapterOptions): readonly OptionIssue[] {
  const { digest_domains: domain = '', nonce_timeout: timeout, qop } = options;
  const issues: OptionIssue[] = [];
  if (!/^[\x20-\x7e]*$/.test(domain) || /["\\]/.test(domain)) {
    issues.push(invalid('digest_domains', domain, 'write ASCII URIs, separated by spaces'));
  }
  const seconds = 'write a number of seconds above 0 as a string, such as "3600"';
  if (timeout === undefined) {
    issues.push({
      option: 'nonce_timeout',
      message: `nonce_timeout is missing, and Digest requires it; ${seconds}`,
      advice: seconds,
    });
  } else if (!/^[1-9]\d*$/.test(timeout)) issues.push(invalid('nonce_timeout', timeout, seconds));
  if (qop?.length === 0) {
    const advice = 'write "auth" or "auth-int"';
    issues.push({ option: 'qop', message: `qop is empty; ${advice}`, advice });
  }
  return issues;
}

function fileIssues(option: 'htpasswd' | 'htdigest', path: string | undefined): readonly OptionIssue[] {
  const advice = 'set the path of the password file';
  return path === undefined || path === ''
    ? [{ option, message: `${option} is missing; ${advice}`, advice }]
    : [];
}
