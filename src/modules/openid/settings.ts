import { Type, type Static } from '@sinclair/typebox';
import { ConfigurationError, type Configuration, type KeyPath } from '../../framework';
import { endpointIssue } from '../mvc-auth';

export const OPENID_KEY = 'platform-openid';

const role = Type.Union([Type.Literal('viewer'), Type.Literal('editor'), Type.Literal('administrator')], {
  hint: 'Write "viewer", "editor" or "administrator".',
});

/** The schema of `platform-openid`. */
export const openidSettings = Type.Object(
  {
    issuer: Type.String({
      minLength: 1,
      description:
        'The issuer identifier of the OpenID provider, such as https://login.example.com; its metadata is at /.well-known/openid-configuration below it. Requires https, except for loopback addresses.',
    }),
    client_id: Type.String({
      minLength: 1,
      description: 'The client identifier that the provider has registered for this service.',
    }),
    client_secret: Type.Optional(
      Type.String({
        minLength: 1,
        secret: true,
        description:
          'The client secret, such as "${OPENID_SECRET}"; without it, the service is a public client, which PKCE alone protects.',
      }),
    ),
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The name of the provider in "Sign in with …"; defaults to the host name of the issuer.',
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), {
        contains: Type.Literal('openid'),
        uniqueItems: true,
        description: 'The requested scopes, including "openid"; defaults to openid, profile and email.',
        hint: 'Write a list with "openid", such as ["openid", "profile", "email"].',
      }),
    ),
    name_claim: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The claim with the name of the user; defaults to "preferred_username".',
      }),
    ),
    groups_claim: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The claim with the groups of the user, such as "realm_access.roles" for a member of an object; defaults to "groups".',
      }),
    ),
    admin: Type.Optional(
      Type.Object(
        {
          roles: Type.Record(Type.String(), role, {
            description:
              'The role in the admin by group of the provider: "viewer", "editor" or "administrator". The highest one applies; users without one cannot use the admin.',
          }),
        },
        { additionalProperties: false, description: 'Sign-in to the admin.' },
      ),
    ),
    documentation: Type.Optional(
      Type.Boolean({
        description: 'Whether readers of the documentation can sign in; defaults to false.',
      }),
    ),
    session: Type.Optional(
      Type.Object(
        {
          idle: Type.Optional(
            Type.Integer({ minimum: 60, description: 'Idle timeout in seconds; defaults to 1800.' }),
          ),
          absolute: Type.Optional(
            Type.Integer({ minimum: 60, description: 'Maximum lifetime in seconds; defaults to 43200.' }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Sessions of readers of the documentation. Those of the admin are configured in platform-admin.session.',
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'Sign-in with an OpenID provider, for the admin and for readers of the documentation.',
  },
);

/** The settings with defaults. */
export interface OpenidSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly nameClaim: string;
  readonly groupsClaim: string;
  /** By group. */
  readonly adminRoles: Readonly<Record<string, Static<typeof role>>>;
  readonly documentation: boolean;
  /** In seconds. */
  readonly session: { readonly idle: number; readonly absolute: number };
}

/**
 * Returns the settings of a configuration; undefined without `platform-openid`, or without the module.
 * @throws ConfigurationError for an issuer that cannot be used, with its source
 */
export function openidSettingsOf(configuration: Configuration): OpenidSettings | undefined {
  if (configuration.schemas.get(OPENID_KEY) !== openidSettings) return undefined;
  if (configuration.valueAt([OPENID_KEY]) === undefined) return undefined;
  const written = configuration.section(OPENID_KEY, openidSettings);
  const { issuer, session = {} } = written;
  const issue = issuerIssue(issuer);
  if (issue !== undefined) throw errorAt(configuration, [OPENID_KEY, 'issuer'], issue);
  return {
    issuer,
    clientId: written.client_id,
    clientSecret: written.client_secret,
    label: written.label ?? new URL(issuer).host,
    scopes: written.scopes ?? ['openid', 'profile', 'email'],
    nameClaim: written.name_claim ?? 'preferred_username',
    groupsClaim: written.groups_claim ?? 'groups',
    adminRoles: written.admin?.roles ?? {},
    documentation: written.documentation ?? false,
    session: { idle: session.idle ?? 1_800, absolute: session.absolute ?? 43_200 },
  };
}

/** Query and fragment are not part of an issuer identifier (OpenID Connect Discovery 1.0, 3). */
function issuerIssue(issuer: string): string | undefined {
  const key = `${OPENID_KEY}.issuer`;
  const issue = endpointIssue(key, issuer);
  if (issue !== undefined) return issue;
  const { search, hash, pathname } = new URL(issuer);
  if (search !== '' || hash !== '') return `${key}: remove the query and the fragment.`;
  return pathname.includes('/.well-known/')
    ? `${key}: write the issuer without /.well-known/openid-configuration.`
    : undefined;
}

function errorAt(configuration: Configuration, path: KeyPath, issue: string): ConfigurationError {
  return new ConfigurationError(`${configuration.sourceOf(path)}: ${issue}`);
}
