import { Type, type Static } from '@sinclair/typebox';
import { realmSetting, textSetting } from '../shared-settings';
import { tokenEndpointSettings } from '../token-endpoints';

/** The options of an `IntrospectionAdapter`. */
export const introspectionAdapterSettings = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      title: 'Introspection endpoint',
      description: 'The URL of the introspection endpoint (RFC 7662).',
      hint: 'Write it as https://issuer.example/introspect.',
    }),
    client_id: Type.String({
      minLength: 1,
      title: 'Client ID',
      description: 'The name of this service at the endpoint.',
    }),
    client_secret: Type.String({
      minLength: 1,
      secret: true,
      sentTo: 'endpoint',
      title: 'Client secret',
      description: 'The secret of this service at the endpoint, such as "${INTROSPECTION_SECRET}".',
    }),
    issuer: textSetting('The required issuer (iss); defaults to any that the endpoint reports.', {
      title: 'Issuer',
    }),
    audience: textSetting('The required audience (aud); defaults to any that the endpoint reports.', {
      title: 'Audience',
    }),
    realm: realmSetting,
    ...tokenEndpointSettings,
    name_claim: textSetting('The member of the response with the name of the user; defaults to "sub".', {
      title: 'Name claim',
      group: 'Claims',
    }),
    groups_claim: textSetting('The member with the groups; defaults to "groups".', {
      title: 'Groups claim',
      group: 'Claims',
    }),
    scope_claim: textSetting('The member with the scopes; defaults to "scope".', {
      title: 'Scope claim',
      group: 'Claims',
    }),
    cache_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        title: 'Cache lifetime',
        group: 'More',
        description:
          'Seconds for which a valid token is cached, at most until it expires; defaults to 60. A revoked token is accepted for as long.',
      }),
    ),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        title: 'Timeout',
        group: 'More',
        description: 'Seconds to wait for a response of the endpoint; defaults to 5.',
      }),
    ),
    allow_insecure: Type.Optional(
      Type.Boolean({
        title: 'Allow http:// for the endpoint',
        group: 'More',
        description: 'Allows http:// in "endpoint" for hosts that are not loopback.',
      }),
    ),
  },
  {
    additionalProperties: false,
    hint: 'An IntrospectionAdapter needs "endpoint", "client_id" and "client_secret".',
  },
);

export type IntrospectionAdapterOptions = Static<typeof introspectionAdapterSettings>;
