import type { Deployment } from '../../../framework';
import type { AdapterContext, AdapterFactory, OpenAdapter } from '../adapters/adapter-factory';
import type { RateLimitState } from '../throttling/usage/rate-limit-state';
import { DEFAULT_KEY_REALM, openApiKeyAdapter } from './api-key-adapter';
import { apiKeySettings, type ApiKeyOptions } from './api-key-settings';

/** Opens adapters of the kind `ApiKeyAdapter`: keys in a header field, from a key file. */
export class ApiKeyAdapterFactory implements AdapterFactory {
  readonly settings = apiKeySettings;
  readonly #deployment: Deployment;
  readonly #limits: RateLimitState;

  constructor(deployment: Deployment, limits: RateLimitState) {
    this.#deployment = deployment;
    this.#limits = limits;
  }

  async open(name: string, options: ApiKeyOptions, { root, warn }: AdapterContext): Promise<OpenAdapter> {
    const adapter = await openApiKeyAdapter(name, options, {
      root,
      warn,
      limits: this.#limits,
      shared: () => this.#deployment.store?.documents,
    });
    const { realm = DEFAULT_KEY_REALM } = options;
    // The documentation names the header field only.
    const [header] = (adapter.credentials ?? []).map(
      (location) => ({ type: 'apiKey', ...location }) as const,
    );
    return {
      adapter,
      description: { name, realm, schemes: [], security: header === undefined ? [] : [header] },
    };
  }
}
