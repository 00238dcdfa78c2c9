import { Type } from '@sinclair/typebox';
import type { SecurityScheme } from '../adapters/security-scheme';

const url = (title: string, description: string) =>
  Type.Optional(
    Type.String({
      title,
      group: 'Documentation',
      pattern: '^https?://[^\\s]+$',
      description,
      hint: 'Write a URL, such as "https://issuer.example/oauth/token".',
    }),
  );

/** The options that tell clients, in the documentation, where to obtain tokens. */
export const tokenEndpointSettings = {
  openid_configuration: url(
    'OpenID Connect metadata',
    'For the documentation: the URL of the OpenID Connect metadata of the issuer, which ends in "/.well-known/openid-configuration".',
  ),
  authorization_url: url(
    'Authorization endpoint',
    'For the documentation: the OAuth 2 authorization endpoint; with "token_url".',
  ),
  token_url: url(
    'Token endpoint',
    'For the documentation: the OAuth 2 token endpoint; without "authorization_url", that of the client credentials grant.',
  ),
};

/** The values of these options. */
interface TokenEndpoints {
  readonly openid_configuration?: string;
  readonly authorization_url?: string;
  readonly token_url?: string;
}

/** Returns why the options do not work together; undefined if they do. */
export function tokenEndpointIssue(options: TokenEndpoints): string | undefined {
  const { openid_configuration: metadata, authorization_url: authorization, token_url: token } = options;
  if (authorization !== undefined && token === undefined)
    return 'authorization_url: "token_url" is missing, which the authorization code flow needs too.';
  return metadata !== undefined && token !== undefined
    ? 'openid_configuration and token_url: both are set. The OpenID Connect metadata has the endpoints: remove the other URLs.'
    : undefined;
}

/** Returns the security schemes of the documentation (OpenAPI 3.1.1, 4.8.27). @param bearerFormat without endpoints */
export function tokenSchemes(options: TokenEndpoints, bearerFormat?: string): readonly SecurityScheme[] {
  const {
    openid_configuration: openIdConnectUrl,
    authorization_url: authorizationUrl,
    token_url: tokenUrl,
  } = options;
  if (openIdConnectUrl !== undefined) return [{ type: 'openIdConnect', openIdConnectUrl }];
  if (tokenUrl === undefined)
    return [{ type: 'http', scheme: 'bearer', ...(bearerFormat === undefined ? {} : { bearerFormat }) }];
  return [
    authorizationUrl === undefined
      ? { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } }
      : { type: 'oauth2', flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: {} } } },
  ];
}
