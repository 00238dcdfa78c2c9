import { Type, type Static } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';
import { introspectionAdapterSettings } from './bearer/introspection/options';
import { jwtAdapterSettings } from './bearer/jwt/options';
import { apiKeySettings } from './api-keys/api-key-settings';
import { userTableSettings } from './users/user-table-settings';

export const MVC_AUTH_KEY = 'platform-mvc-auth';

const names = [
  Type.Literal('guest'),
  Type.Literal('authenticated'),
  Type.Array(Type.String({ minLength: 1 })),
] as const;

/** A rule for documentation and files, which have no policies. */
const readerRule = Type.Union([...names], {
  hint: 'Write "guest", "authenticated", or a list of user names. A group is written "@group", a scope "scope:read".',
});

const policyRule = Type.Object(
  { policy: Type.String({ minLength: 1, description: 'The policy to ask: the name of a service.' }) },
  { additionalProperties: false },
);

export const accessRule = Type.Union([...names, policyRule], {
  description:
    'Who may call it: "guest", "authenticated", a list of user names, groups ("@group") and scopes ("scope:read"), or { "policy": "name" }.',
  hint: 'Write "guest", "authenticated", a list of user names, or { "policy": "name" }. A group is written "@group", a scope "scope:read".',
});

const methodRules = Type.Record(Type.String({ pattern: '^[A-Z]+$' }), accessRule);

/** By method: for the collection and entity of a REST service, directly for an RPC service. */
const serviceRules = Type.Object(
  {
    collection: Type.Optional({ ...methodRules, description: 'By method, for the collection.' }),
    entity: Type.Optional({ ...methodRules, description: 'By method, for single entities.' }),
  },
  { additionalProperties: accessRule },
);

const apiRules = Type.Record(Type.String(), serviceRules);

export type AccessRule = Static<typeof accessRule>;
export type PolicyRule = Extract<AccessRule, { readonly policy: string }>;
export type ServiceRules = Readonly<Record<string, AccessRule | Readonly<Record<string, AccessRule>>>>;
type AuthorizationSettings = { deny_by_default: boolean } & Record<string, unknown>;

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
                schemas: {
                  HttpAdapter: httpAdapterSettings,
                  ApiKeyAdapter: apiKeySettings,
                  JwtAdapter: jwtAdapterSettings,
                  IntrospectionAdapter: introspectionAdapterSettings,
                },
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
    authorization: Type.Unsafe<AuthorizationSettings>({
      type: 'object',
      description: 'Access rules by API ("Atlas" or "Atlas-v2") and service.',
      properties: {
        deny_by_default: {
          type: 'boolean',
          description: 'Whether operations without a rule require authentication.',
        },
        '@documentation': { ...readerRule, description: 'Who may read the documentation.' },
      },
      patternProperties: {
        '^@static-files(?:/.*)?$': {
          ...readerRule,
          description:
            'Who may read static files: of all folders, or of the folder at a path ("@static-files/app").',
        },
      },
      additionalProperties: apiRules,
    }),
    throttling: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether failed sign-ins are counted.' }),
        failures: Type.Integer({
          minimum: 1,
          description: 'Limit of failed sign-ins for a user from one address.',
        }),
        per_address: Type.Integer({
          minimum: 1,
          description: 'Limit of failed sign-ins from one address, for all users.',
        }),
        pending_per_address: Type.Integer({
          minimum: 1,
          description: 'Limit of pending password verifications from one address; more are refused.',
        }),
        exact: Type.Optional(
          Type.Boolean({
            description:
              'Whether to ask Redis for each sign-in, so that all nodes together never exceed the limits; defaults to false: each node counts at once what it sees, and adds what the others report.',
          }),
        ),
        window: Type.Integer({
          minimum: 1,
          maximum: 86_400,
          description: 'Seconds from the first failure until all of them expire.',
        }),
      },
      { additionalProperties: false, description: 'Limits for failed sign-ins.' },
    ),
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
