import type { WeakKind } from '../passwords/hashes/weak-hash';
import type { QualityOfProtection } from '../http/digest/digest-credentials';
import type { UserTableSettings } from '../users/user-table-settings';

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

/** A mistake in one option. */
export interface OptionIssue {
  readonly option: keyof HttpAdapterOptions;
  /** What is wrong and what to do, for messages about the adapter: `realm is ""; write …`. */
  readonly message: string;
  /** What to do, for display next to the option. */
  readonly advice: string;
}
