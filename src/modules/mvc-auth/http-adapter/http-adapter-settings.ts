import { Type } from '@sinclair/typebox';
import { userTableSettings } from '../users/user-table-settings';

/** The options of an `HttpAdapter` (specification, 2.7). */
export const httpAdapterSettings = Type.Object(
  {
    accept_schemes: Type.Array(Type.Union([Type.Literal('basic'), Type.Literal('digest')]), {
      minItems: 1,
      description: '"basic" or "digest".',
      hint: 'Name "basic" or "digest".',
    }),
    realm: Type.String({
      minLength: 1,
      description: 'The name that clients show in the password prompt; in a digest file, part of each line.',
      hint: 'Write a readable name.',
    }),
    htpasswd: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The password file for Basic, relative to the project root.',
      }),
    ),
    htdigest: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The password file for Digest, relative to the project root.',
      }),
    ),
    weak_hashes: Type.Optional(
      Type.Array(Type.Union([Type.Literal('des'), Type.Literal('plain')]), {
        description: 'Weak kinds of stored passwords to accept.',
        hint: 'Name "des", "plain", or both.',
      }),
    ),
    htgroup: Type.Optional(
      Type.String({ minLength: 1, description: 'The group file, relative to the project root.' }),
    ),
    users: Type.Optional(userTableSettings),
    source: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The name of a service that a module binds and that knows the users, in place of password files.',
      }),
    ),
    digest_domains: Type.Optional(
      Type.String({
        description: 'URIs that share one Digest sign-in, separated by spaces.',
      }),
    ),
    nonce_timeout: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d*$',
        description: 'Nonce lifetime in seconds, as a string.',
        hint: 'Write whole seconds above 0 as a string, such as "3600".',
      }),
    ),
    qop: Type.Optional(
      Type.Array(Type.Union([Type.Literal('auth'), Type.Literal('auth-int')]), {
        minItems: 1,
        description: 'The quality of protection that Digest offers.',
        hint: 'Name "auth", "auth-int", or both.',
      }),
    ),
    allow_downgrade: Type.Optional(
      Type.Boolean({
        description: 'Allows Basic together with Digest, so that clients may choose the weaker scheme.',
      }),
    ),
  },
  { additionalProperties: false, hint: 'An HttpAdapter needs "accept_schemes" and "realm".' },
);
