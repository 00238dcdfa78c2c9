/** Where requests carry credentials that are not in `Authorization`: a header field, or a query parameter. */
export interface CredentialLocation {
  readonly in: 'header' | 'query';
  /** Field names are case-insensitive, parameter names are not. */
  readonly name: string;
}

/** Credentials of a request that are not in `Authorization`. */
export interface SentCredential extends CredentialLocation {
  /** The field value as received, or the decoded parameter; may be empty. */
  readonly value: string;
}

/** Whether two locations are the same. */
export function isSameLocation(one: CredentialLocation, other: CredentialLocation): boolean {
  if (one.in !== other.in) return false;
  if (one.name === other.name) return true;
  return one.in === 'header' && one.name.toLowerCase() === other.name.toLowerCase();
}
