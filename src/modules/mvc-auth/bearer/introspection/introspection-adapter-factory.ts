import { steadyNow, type Deployment } from '../../../../framework';
import type { AdapterContext, AdapterFactory, OpenAdapter } from '../../adapters/adapter-factory';
import { AuthConfigurationError } from '../../http-adapter/auth-configuration-error';
import { HashingQueue } from '../../passwords/hashing-queue';
import { PasswordHashing } from '../../passwords/password-hashing';
import { claimNamesOf } from '../shared-settings';
import { endpointIssue } from '../endpoint';
import { tokenEndpointIssue, tokenSchemes } from '../token-endpoints';
import { IntrospectionAdapter } from './introspection-adapter';
import { IntrospectionClient, MAX_PENDING } from './introspection-client';
import { introspectionAdapterSettings, type IntrospectionAdapterOptions } from './options';
import { SharedResponses } from './shared-responses';

/** Tokens of one address that may be asked about at once: a gateway has many users, and others get their turn. */
const TOKENS_PER_ADDRESS = 50;

/** Opens adapters of the kind `IntrospectionAdapter`. */
export class IntrospectionAdapterFactory implements AdapterFactory {
  readonly settings = introspectionAdapterSettings;
  readonly #deployment: Deployment;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  open(name: string, options: IntrospectionAdapterOptions, { warn }: AdapterContext): Promise<OpenAdapter> {
    const { endpoint, realm = name, issuer, audience, cache_seconds: seconds = 60, timeout = 5 } = options;
    const issue =
      endpointIssue('endpoint', endpoint, options.allow_insecure === true) ?? tokenEndpointIssue(options);
    if (issue !== undefined) return Promise.reject(new AuthConfigurationError(name, issue));
    const client = new IntrospectionClient({
      adapter: name,
      endpoint,
      clientId: options.client_id,
      clientSecret: options.client_secret,
      timeout: timeout * 1_000,
      warn,
    });
    const adapter = new IntrospectionAdapter({
      name,
      realm,
      client,
      // Apart from the queue of hashes.
      turns: new PasswordHashing(
        new HashingQueue({ concurrency: MAX_PENDING, limit: 1_000 }),
        TOKENS_PER_ADDRESS,
      ),
      shared: new SharedResponses(this.#deployment, [endpoint, options.client_id]),
      issuer,
      audience,
      cacheTime: seconds * 1_000,
      clock: Date.now,
      steadyClock: steadyNow,
      claims: claimNamesOf(options),
    });
    return Promise.resolve({
      adapter,
      description: { name, realm, schemes: ['bearer'], security: tokenSchemes(options) },
    });
  }
}
