import type { Quota } from '../../mvc-auth';

/** A quota policy, as clients see it. */
export interface QuotaPolicy {
  /** Unique among those of an operation. */
  readonly name: string;
  readonly limit: number;
  /** In seconds. */
  readonly window: number;
}

/**
 * The value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10, 3): a list of strings with parameters.
 * @example '"Atlas:user:60";q=100;w=60'
 */
export function policyField(policies: readonly QuotaPolicy[]): string {
  return policies.map(({ name, limit, window }) => `${sfString(name)};q=${limit};w=${window}`).join(', ');
}

/**
 * An item of `RateLimit` (draft, 4) for a quoted name: `r` is what is left, `t` the seconds until more becomes available.
 * @example '"Atlas:user:60";r=57;t=23'
 */
export function quotaItem(quotedName: string, { remaining, reset }: Quota): string {
  return `${quotedName};r=${remaining};t=${Math.ceil(reset / 1_000)}`;
}

/** A String of structured fields (RFC 9651, 3.3.3): printable ASCII. Other characters are percent-encoded. */
export function sfString(text: string): string {
  const ascii = text.replace(/[^\x20-\x7e]+/gu, (part) =>
    Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
  return `"${ascii.replace(/[\\"]/g, '\\$&')}"`;
}
