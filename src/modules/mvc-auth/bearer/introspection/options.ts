import { Type, type Static } from '@sinclair/typebox';
import { realmSetting } from '../realm-setting';

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** The options of an `IntrospectionAdapter`. */
export const introspectionAdapterSettings = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      description: 'The URL of the introspection endpoint (RFC 7662).',
      hint: 'Write it as https://issuer.example/introspect.',
    }),
    client_id: Type.String({ minLength: 1, description: 'The name of this service at the endpoint.' }),
    client_secret: Type.String({
      minLength: 1,
      secret: true,
      description: 'The secret of this service at the endpoint, such as "${INTROSPECTION_SECRET}".',
    }),
    issuer: text('The required issuer (iss); defaults to any that the endpoint reports.'),
    audience: text('The required audience (aud); defaults to any that the endpoint reports.'),
    realm: realmSetting,
    name_claim: text('The member of the response with the name of the user; defaults to "sub".'),
    groups_claim: text('The member with the groups; defaults to "groups".'),
    scope_claim: text('The member with the scopes; defaults to "scope".'),
    cache_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description:
          'Seconds for which a valid token is remembered, at most until it expires: so long, one that is revoked stays valid; defaults to 60.',
      }),
    ),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        description: 'Seconds for which the endpoint is waited for; defaults to 5.',
      }),
    ),
    allow_insecure: Type.Optional(
      Type.Boolean({ description: 'Allows http:// in "endpoint" for hosts that are not loopback.' }),
    ),
  },
  {
    additionalProperties: false,
    hint: 'An IntrospectionAdapter needs "endpoint", "client_id" and "client_secret".',
  },
);

export type IntrospectionAdapterOptions = Static<typeof introspectionAdapterSettings>;
