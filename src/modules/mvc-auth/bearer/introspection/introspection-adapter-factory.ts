import type { Deployment } from '../../../../framework';
import type { AdapterContext, AdapterFactory, OpenAdapter } from '../../adapters/adapter-factory';
import { AuthConfigurationError } from '../../http-adapter/auth-configuration-error';
import { HashingQueue } from '../../passwords/hashing-queue';
import type { PasswordHashing } from '../../passwords/password-hashing';
import { endpointIssue } from '../endpoint';
import { tokenEndpointIssue, tokenSchemes } from '../token-endpoints';
import { IntrospectionAdapter } from './introspection-adapter';
import { IntrospectionClient } from './introspection-client';
import { introspectionAdapterSettings, type IntrospectionAdapterOptions } from './options';
import { SharedResponses } from './shared-responses';

/** Opens adapters of the kind `IntrospectionAdapter`. */
export class IntrospectionAdapterFactory implements AdapterFactory {
  readonly settings = introspectionAdapterSettings;
  readonly #deployment: Deployment;
  readonly #hashing: PasswordHashing;

  /** @param hashing has the limit of pending verifications per address */
  constructor(deployment: Deployment, hashing: PasswordHashing) {
    this.#deployment = deployment;
    this.#hashing = hashing;
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
      // Apart from the queue of hashes. The client limits the total.
      turns: this.#hashing.withQueue(new HashingQueue({ concurrency: Infinity })),
      shared: new SharedResponses(this.#deployment, [endpoint, options.client_id]),
      issuer,
      audience,
      cacheTime: seconds * 1_000,
      // The clock of the system: expiry is a point in time.
      clock: Date.now,
      claims: {
        name: options.name_claim ?? 'sub',
        groups: options.groups_claim ?? 'groups',
        scope: options.scope_claim ?? 'scope',
      },
    });
    return Promise.resolve({
      adapter,
      description: { name, realm, schemes: ['bearer'], security: tokenSchemes(options) },
    });
  }
}
