import type { ClientAuth, Configuration } from 'openid-client';
import { steadyNow } from '../../../framework';
import type { OpenidSettings } from '../settings';
import { boundedFetch } from './bounded-fetch';
import { openidClient } from './openid-client';
import { toSignInFailure } from './sign-in-failure';

/** Seconds for each request to the provider. */
const TIMEOUT = 5;
/** Milliseconds for which the metadata is used; the library fetches keys again when they change. */
const LIFETIME_MS = 60 * 60 * 1_000;
/** Milliseconds for which a failure is remembered, so that sign-ins do not wait for the timeout one after the other. */
const FAILURE_MS = 3_000;

type ProviderSettings = Pick<OpenidSettings, 'issuer' | 'clientId' | 'clientSecret'>;

/** The metadata of the provider (OpenID Connect Discovery 1.0), requested when it is first needed. */
export class Discovery {
  readonly #settings: ProviderSettings;
  readonly #clock: () => number;
  #found: { readonly value: Promise<Configuration>; expiresAt: number } | undefined;

  /** @param clock milliseconds */
  constructor(settings: ProviderSettings, clock: () => number = steadyNow) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Concurrent calls share a request. @throws SignInFailure */
  async configuration(): Promise<Configuration> {
    if (this.#found !== undefined && this.#clock() < this.#found.expiresAt) return await this.#found.value;
    const value = this.#discover();
    const found = { value, expiresAt: this.#clock() + LIFETIME_MS };
    this.#found = found;
    value.catch(() => {
      found.expiresAt = this.#clock() + FAILURE_MS;
    });
    return await value;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const client = openidClient();
    const execute = [client.enableNonRepudiationChecks];
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- has no replacement; the settings allow http: for loopback addresses only
    if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
    try {
      return await client.discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? client.None() : secretAuthentication(clientSecret),
        { [client.customFetch]: boundedFetch, timeout: TIMEOUT, execute },
      );
    } catch (error) {
      throw toSignInFailure(error);
    }
  }
}

/** `client_secret_basic`, which is the default, unless the provider supports only other methods (Discovery 1.0, 3). */
function secretAuthentication(secret: string): ClientAuth {
  const { ClientSecretBasic, ClientSecretPost } = openidClient();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...others) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(server, ...others);
  };
}
