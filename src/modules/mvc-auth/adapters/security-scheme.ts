/** What clients send, in the terms of OpenAPI (3.1.1, 4.8.27, Security Scheme Object). */
export type SecurityScheme =
  /** An HTTP authentication scheme, in lower case. */
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query'; readonly name: string }
  | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, OAuthFlow>> }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string };

/** An OAuth Flow Object of OpenAPI, e.g. of `clientCredentials`. */
export interface OAuthFlow {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  /** Descriptions by scope. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** The security schemes of an adapter: its own, otherwise its HTTP schemes. */
export function securitySchemesOf({
  schemes,
  security,
}: {
  readonly schemes: readonly string[];
  readonly security?: readonly SecurityScheme[] | undefined;
}): readonly SecurityScheme[] {
  return security ?? schemes.map((scheme) => ({ type: 'http', scheme }));
}
