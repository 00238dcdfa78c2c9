import { Type, type Static } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';

export const MVC_AUTH_KEY = 'platform-mvc-auth';

/** Who may do something: anyone, any user, or the users (and groups) that are named. */
const ruleSchema = Type.Union(
  [Type.Literal('guest'), Type.Literal('authenticated'), Type.Array(Type.String({ minLength: 1 }))],
  {
    hint: 'Write "guest", "authenticated", or a list of user names. A group is written "@group".',
  },
);

const methodRules = Type.Record(Type.String({ pattern: '^[A-Z]+$' }), ruleSchema);

/** The rules of a service: for collection and entity of a REST service, by method for an RPC service. */
const serviceRules = Type.Object(
  { collection: Type.Optional(methodRules), entity: Type.Optional(methodRules) },
  { additionalProperties: ruleSchema },
);

const apiRules = Type.Record(Type.String(), serviceRules);

export type AccessRule = Static<typeof ruleSchema>;
export type ServiceRules = Readonly<Record<string, AccessRule | Readonly<Record<string, AccessRule>>>>;
type AuthorizationSettings = { deny_by_default: boolean } & Record<string, unknown>;

/** `platform-mvc-auth`: adapters, which API uses which, and who may do what. */
export const mvcAuthSettings = Type.Object(
  {
    authentication: Type.Object(
      {
        adapters: Type.Record(
          Type.String({ minLength: 1 }),
          Type.Object(
            { adapter: Type.String({ minLength: 1 }), options: Type.Record(Type.String(), Type.Unknown()) },
            { additionalProperties: false, hint: 'An adapter has "adapter", its kind, and "options".' },
          ),
          { description: 'Adapters by name: the service that makes it, and its options.' },
        ),
        map: Type.Record(
          Type.String({ minLength: 1 }),
          Type.Union([Type.String(), Type.Array(Type.String())], {
            hint: 'Write the name of an adapter, or a list of names.',
          }),
          {
            description:
              '"Atlas", "Atlas-v2", "Atlas-v2/Country", "*" or "@documentation", and the adapter that guards it.',
          },
        ),
      },
      { additionalProperties: false },
    ),
    authorization: Type.Unsafe<AuthorizationSettings>({
      type: 'object',
      description: 'By API ("Atlas" or "Atlas-v2") and service: who may do what.',
      properties: {
        deny_by_default: { type: 'boolean', description: 'Whether what has no rule is closed to guests.' },
        '@documentation': ruleSchema,
      },
      additionalProperties: apiRules,
    }),
    throttling: Type.Object(
      {
        enabled: Type.Boolean(),
        failures: Type.Integer({
          minimum: 1,
          description: 'Failed sign-ins of a user from one address, after which they have to wait.',
        }),
        per_address: Type.Integer({
          minimum: 1,
          description: 'Failed sign-ins from one address, after which all its users have to wait.',
        }),
        window: Type.Integer({
          minimum: 1,
          maximum: 86_400,
          description: 'Seconds from the first failure on, after which they are forgotten.',
        }),
      },
      { additionalProperties: false, description: 'How failed sign-ins are slowed down.' },
    ),
  },
  { additionalProperties: false },
);

export const mvcAuthDefaults: ConfigTree = {
  [MVC_AUTH_KEY]: {
    authentication: { adapters: {}, map: {} },
    authorization: { deny_by_default: false },
    throttling: { enabled: true, failures: 10, per_address: 100, window: 60 },
  },
};

/** The options of an `HttpAdapter` (specification, 2.7). */
export const httpAdapterSettings = Type.Object(
  {
    accept_schemes: Type.Array(Type.Union([Type.Literal('basic'), Type.Literal('digest')]), {
      minItems: 1,
      hint: 'Name "basic" or "digest".',
    }),
    realm: Type.String({ minLength: 1, hint: 'Give a name that people can read.' }),
    htpasswd: Type.Optional(Type.String({ minLength: 1 })),
    htdigest: Type.Optional(Type.String({ minLength: 1 })),
    weak_hashes: Type.Optional(
      Type.Array(Type.Union([Type.Literal('des'), Type.Literal('plain')]), {
        hint: 'Name "des", "plain", or both.',
      }),
    ),
    htgroup: Type.Optional(Type.String({ minLength: 1 })),
    digest_domains: Type.Optional(Type.String()),
    nonce_timeout: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d*$',
        hint: 'Write whole seconds above 0 as a string, such as "3600".',
      }),
    ),
    qop: Type.Optional(
      Type.Array(Type.Union([Type.Literal('auth'), Type.Literal('auth-int')]), {
        minItems: 1,
        hint: 'Name "auth", "auth-int", or both.',
      }),
    ),
    allow_downgrade: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, hint: 'An HttpAdapter needs "accept_schemes" and "realm".' },
);
