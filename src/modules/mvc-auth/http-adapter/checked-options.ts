import type { WeakKind } from '../passwords/hashes/weak-hash';
import type { QualityOfProtection } from '../http/digest/digest-credentials';
import type { UserTableSettings } from '../users/user-table-settings';
import { AuthConfigurationError } from './auth-configuration-error';
import { optionIssues } from './option-issues';
import type { HttpAdapterOptions } from './options';

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
