import { Type, type Static } from '@sinclair/typebox';
import { endpointIssue } from '../endpoint';
import { realmSetting, textSetting } from '../shared-settings';
import { tokenEndpointSettings } from '../token-endpoints';
import { isSymmetric, JWT_ALGORITHMS, secretBytesFor, type JwtAlgorithm } from './algorithms';

/** The options of a `JwtAdapter`. */
export const jwtAdapterSettings = Type.Object(
  {
    algorithms: Type.Array(
      Type.Union((Object.keys(JWT_ALGORITHMS) as JwtAlgorithm[]).map((name) => Type.Literal(name))),
      {
        minItems: 1,
        description: 'The signature algorithms to accept, such as "RS256"; no others are.',
        hint: `Available: ${Object.keys(JWT_ALGORITHMS).join(', ')}. Name those that the issuer uses; "none" is never accepted.`,
      },
    ),
    jwks: textSetting(
      'The public keys of the issuer (JWK Set): a URL, or a file relative to the project root, which is watched.',
      { title: 'Key set (JWKS)' },
    ),
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description:
          'The secret that the issuer signs with, for HS256, HS384 and HS512, such as "${JWT_SECRET}".',
      }),
    ),
    issuer: textSetting('The required issuer (iss); mandatory with "jwks".', { title: 'Issuer' }),
    audience: textSetting(
      'The required audience (aud), the name of this service at the issuer; mandatory with "jwks".',
      { title: 'Audience' },
    ),
    realm: realmSetting,
    ...tokenEndpointSettings,
    name_claim: textSetting('The claim with the name of the user; defaults to "sub".', {
      title: 'Name claim',
      group: 'Claims',
    }),
    groups_claim: textSetting(
      'The claim with the groups, such as "realm_access.roles"; defaults to "groups".',
      {
        title: 'Groups claim',
        group: 'Claims',
      },
    ),
    scope_claim: textSetting('The claim with the scopes; defaults to "scope".', {
      title: 'Scope claim',
      group: 'Claims',
    }),
    clock_tolerance: Type.Optional(
      Type.String({
        title: 'Clock tolerance',
        group: 'More',
        pattern: '^\\d{1,3}$',
        description: 'Seconds by which clocks may differ, as a string; defaults to "5".',
        hint: 'Write whole seconds up to 999 as a string, such as "5".',
      }),
    ),
    allow_insecure: Type.Optional(
      Type.Boolean({
        title: 'Allow http:// for the key set',
        group: 'More',
        description: 'Allows http:// in "jwks" for hosts that are not loopback.',
      }),
    ),
  },
  {
    additionalProperties: false,
    hint: 'A JwtAdapter needs "algorithms", and "jwks" or "secret".',
  },
);

export type JwtAdapterOptions = Static<typeof jwtAdapterSettings>;

/** Whether `jwks` is a URL, not a file. */
export function isUrl(jwks: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(jwks);
}

/** Returns why options do not work together; undefined if they do. */
export function jwtOptionIssue(options: JwtAdapterOptions): string | undefined {
  const { algorithms, jwks, secret, issuer, audience, allow_insecure: allowInsecure = false } = options;
  if (jwks !== undefined && secret !== undefined)
    return 'jwks and secret: both are set. A key that the issuer publishes could pass for the secret: keep "jwks" for public keys, or "secret" for HS256, HS384 and HS512.';
  if (jwks === undefined && secret === undefined)
    return 'no key: set "jwks" to the URL or file with the public keys of the issuer, or "secret" for HS256, HS384 and HS512.';
  const mismatch = algorithms.find((name) => isSymmetric(name) !== (secret !== undefined));
  if (mismatch !== undefined)
    return secret === undefined
      ? `algorithms: ${mismatch} needs "secret", but "jwks" is set. Remove it from the list, or set "secret" instead of "jwks".`
      : `algorithms: ${mismatch} needs "jwks", the public keys of the issuer, but "secret" is set. Use HS256, HS384 or HS512, or set "jwks" instead of "secret".`;
  if (secret !== undefined) {
    const [bytes, minimum] = [Buffer.byteLength(secret), secretBytesFor(algorithms)];
    return bytes < minimum
      ? `secret: it has ${bytes} bytes; ${algorithms.join(', ')} ${algorithms.length === 1 ? 'needs' : 'need'} at least ${minimum} (RFC 7518, 3.2). Create one with: openssl rand -base64 48`
      : undefined;
  }
  if (issuer === undefined || audience === undefined)
    return `${issuer === undefined ? 'issuer' : 'audience'}: it is required with "jwks": otherwise, tokens that the issuer signed for other services are accepted.`;
  return jwks !== undefined && isUrl(jwks) ? endpointIssue('jwks', jwks, allowInsecure) : undefined;
}
