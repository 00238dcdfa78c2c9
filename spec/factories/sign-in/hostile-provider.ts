import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signingKey, type SigningKey, tokenOf } from './tokens';

/** What an OpenID provider responds that does not follow the rules. */
export interface Misbehaviour {
  /** Replaces the metadata. */
  readonly metadata?: (response: ServerResponse, metadata: object) => void;
  /** Replaces the response of the token endpoint. */
  readonly token?: (response: ServerResponse) => void;
  /** Replaces claims of the ID token. */
  readonly claims?: object;
  /** Replaces the ID token. */
  readonly idToken?: (claims: object, key: SigningKey) => string;
  /** The keys that the provider publishes; defaults to its own. */
  readonly keys?: readonly SigningKey[];
}

export const json = (response: ServerResponse, body: unknown): void => {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
};

/** An OpenID provider that authenticates everybody as `eve`, and misbehaves on request. */
export class HostileProvider {
  readonly #server: Server;
  readonly key = signingKey('RS256', 'own');
  misbehaviour: Misbehaviour = {};
  /** The nonce of the last sign-in. */
  nonce = '';

  private constructor() {
    this.#server = createServer((request, response) => this.#respond(request, response));
  }

  static async start(): Promise<HostileProvider> {
    const provider = new HostileProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const { metadata, token, keys = [this.key] } = this.misbehaviour;
    const { issuer } = this;
    if (url.endsWith('/openid-configuration')) {
      const usual = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
      };
      (metadata ?? json)(response, usual);
    } else if (url === '/jwks') json(response, { keys: keys.map(({ jwk }) => jwk) });
    else if (token === undefined) json(response, this.#tokens());
    else token(response);
  }

  #tokens(): object {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: 'platform',
      sub: 'eve',
      preferred_username: 'eve',
      groups: ['staff'],
      iat: now,
      exp: now + 300,
      nonce: this.nonce,
      ...this.misbehaviour.claims,
    };
    const { idToken = tokenOf } = this.misbehaviour;
    return { access_token: 'x', token_type: 'bearer', expires_in: 300, id_token: idToken(claims, this.key) };
  }
}

/** A token without a signature. */
export function unsigned(claims: object): string {
  const parts = [{ alg: 'none' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${parts.join('.')}.`;
}
