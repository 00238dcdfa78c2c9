import { Type, type Static } from '@sinclair/typebox';
import type { ConfigTree } from '../../framework';

export const MVC_AUTH_KEY = 'platform-mvc-auth';

const names = [
  Type.Literal('guest'),
  Type.Literal('authenticated'),
  Type.Array(Type.String({ minLength: 1 })),
] as const;

/** Who may read something that is no operation: anyone, any user, or the users (and groups) that are named. */
const readerRule = Type.Union([...names], {
  hint: 'Write "guest", "authenticated", or a list of user names. A group is written "@group".',
});

const policyRule = Type.Object(
  { policy: Type.String({ minLength: 1, description: 'The policy that decides: a service of that name.' }) },
  { additionalProperties: false },
);

/** Who may call an operation: the same, or those whom a policy lets, a service of that name. */
export const accessRule = Type.Union([...names, policyRule], {
  description: 'Who may: "guest", "authenticated", a list of user names, or { "policy": "name" }.',
  hint: 'Write "guest", "authenticated", a list of user names, or { "policy": "name" }. A group is written "@group".',
});

const methodRules = Type.Record(Type.String({ pattern: '^[A-Z]+$' }), accessRule);

/** The rules of a service: for collection and entity of a REST service, by method for an RPC service. */
const serviceRules = Type.Object(
  {
    collection: Type.Optional({ ...methodRules, description: 'By method, for the collection.' }),
    entity: Type.Optional({ ...methodRules, description: 'By method, for single entities.' }),
  },
  { additionalProperties: accessRule },
);

const apiRules = Type.Record(Type.String(), serviceRules);

export type AccessRule = Static<typeof accessRule>;
/** A rule that a policy decides. */
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
      description:
        'What clients show when they ask for name and password; in a digest file a part of each line.',
      hint: 'Give a name that people can read.',
    }),
    htpasswd: Type.Optional(
      Type.String({ minLength: 1, description: "The password file of Basic, from the project's root." }),
    ),
    htdigest: Type.Optional(
      Type.String({ minLength: 1, description: "The password file of Digest, from the project's root." }),
    ),
    weak_hashes: Type.Optional(
      Type.Array(Type.Union([Type.Literal('des'), Type.Literal('plain')]), {
        description: 'Kinds of weak hashes that are let in though they are weak.',
        hint: 'Name "des", "plain", or both.',
      }),
    ),
    htgroup: Type.Optional(
      Type.String({ minLength: 1, description: "The file of groups of users, from the project's root." }),
    ),
    digest_domains: Type.Optional(
      Type.String({
        description: 'Addresses that one sign-in with Digest is good for, separated by spaces.',
      }),
    ),
    nonce_timeout: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d*$',
        description: 'Seconds that a nonce is good for, as a string.',
        hint: 'Write whole seconds above 0 as a string, such as "3600".',
      }),
    ),
    qop: Type.Optional(
      Type.Array(Type.Union([Type.Literal('auth'), Type.Literal('auth-int')]), {
        minItems: 1,
        description: 'The qualities of protection that Digest offers.',
        hint: 'Name "auth", "auth-int", or both.',
      }),
    ),
    allow_downgrade: Type.Optional(
      Type.Boolean({ description: 'Lets Basic stand beside Digest, so that clients may choose the weaker.' }),
    ),
  },
  { additionalProperties: false, hint: 'An HttpAdapter needs "accept_schemes" and "realm".' },
);

/** `platform-mvc-auth`: adapters, which API uses which, and who may do what. */
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
                description: 'The kind: "HttpAdapter", or a service that makes adapters.',
              }),
              options: Type.Record(Type.String(), Type.Unknown(), {
                description: 'What the kind asks for.',
              }),
            },
            {
              additionalProperties: false,
              hint: 'An adapter has "adapter", its kind, and "options".',
              // For editors: a kind checks its options itself.
              variants: { by: 'adapter', member: 'options', schemas: { HttpAdapter: httpAdapterSettings } },
            },
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
      { additionalProperties: false, description: 'Who signs in, and how.' },
    ),
    authorization: Type.Unsafe<AuthorizationSettings>({
      type: 'object',
      description: 'By API ("Atlas" or "Atlas-v2") and service: who may do what.',
      properties: {
        deny_by_default: { type: 'boolean', description: 'Whether what has no rule is closed to guests.' },
        '@documentation': { ...readerRule, description: 'Who may read the documentation.' },
      },
      additionalProperties: apiRules,
    }),
    throttling: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether failed sign-ins are counted.' }),
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
  { additionalProperties: false, description: 'Who may do what: sign-in and authorization.' },
);

export const mvcAuthDefaults: ConfigTree = {
  [MVC_AUTH_KEY]: {
    authentication: { adapters: {}, map: {} },
    authorization: { deny_by_default: false },
    throttling: { enabled: true, failures: 10, per_address: 100, window: 60 },
  },
};
