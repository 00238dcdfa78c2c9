import { type TSchema, Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';
import { apiKeySettings } from './api-keys/api-key-settings';
import { authorizationSettings } from './authorization/authorization-settings';
import { introspectionAdapterSettings } from './bearer/introspection/options';
import { jwtAdapterSettings } from './bearer/jwt/options';
import { httpAdapterSettings } from './http-adapter/http-adapter-settings';
import { throttlingSettings } from './throttling/throttling-settings';

export const MVC_AUTH_KEY = 'platform-mvc-auth';

/** The options of the built-in kinds of adapters. */
export const BUILT_IN_KINDS: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ['HttpAdapter', httpAdapterSettings],
  ['ApiKeyAdapter', apiKeySettings],
  ['JwtAdapter', jwtAdapterSettings],
  ['IntrospectionAdapter', introspectionAdapterSettings],
]);

/** `platform-mvc-auth` */
export const mvcAuthSettings = Type.Object(
  {
    authentication: Type.Object(
      {
        adapters: Type.Record(
          Type.String({ minLength: 1 }),
          Type.Object(
            {
              adapter: Type.String({
                minLength: 1,
                description:
                  'The kind: "HttpAdapter", "ApiKeyAdapter", "JwtAdapter", "IntrospectionAdapter" or the name of an adapter factory.',
              }),
              options: Type.Record(Type.String(), Type.Unknown(), {
                description: 'The options of the kind.',
              }),
            },
            {
              additionalProperties: false,
              hint: 'An adapter needs "adapter", its kind, and "options".',
              // For editors: each kind validates its options.
              variants: {
                by: 'adapter',
                member: 'options',
                schemas: Object.fromEntries(BUILT_IN_KINDS),
              },
            },
          ),
          { description: 'Adapters by name, each with its kind and options.' },
        ),
        map: Type.Record(
          Type.String({ minLength: 1 }),
          Type.Union([Type.String(), Type.Array(Type.String())], {
            hint: 'Write the name of an adapter, or a list of names.',
          }),
          {
            description:
              'The adapter that guards an API ("Atlas"), a version ("Atlas-v2"), a service ("Atlas-v2/Country"), all other APIs ("*"), the documentation ("@documentation") or static files ("@static-files", or "@static-files/app" for a folder).',
          },
        ),
      },
      { additionalProperties: false, description: 'Adapters and what they guard.' },
    ),
    authorization: authorizationSettings,
    throttling: throttlingSettings,
  },
  { additionalProperties: false, description: 'Authentication and authorization.' },
);

export const mvcAuthDefaults: ConfigObject = {
  [MVC_AUTH_KEY]: {
    authentication: { adapters: {}, map: {} },
    authorization: { deny_by_default: false },
    throttling: { enabled: true, failures: 10, per_address: 100, pending_per_address: 8, window: 60 },
  },
};
