import type { Static } from '@sinclair/typebox';
import type { Deployment, Services } from '../../../framework';
import type { AdapterContext, AdapterFactory, OpenAdapter } from '../adapters/adapter-factory';
import { openHttpAdapter } from './http-adapter';
import type { PasswordHashing } from '../passwords/password-hashing';
import { httpAdapterSettings } from './http-adapter-settings';

/** Opens adapters of the kind `HttpAdapter`: Basic and Digest over password files, a table or a service. */
export class HttpAdapterFactory implements AdapterFactory {
  readonly settings = httpAdapterSettings;
  readonly #deployment: Deployment;
  readonly #hashing: PasswordHashing;
  readonly #services: Services;

  constructor(deployment: Deployment, hashing: PasswordHashing, services: Services) {
    this.#deployment = deployment;
    this.#hashing = hashing;
    this.#services = services;
  }

  async open(
    name: string,
    options: Static<typeof httpAdapterSettings>,
    context: AdapterContext,
  ): Promise<OpenAdapter> {
    const adapter = await openHttpAdapter(name, options, {
      ...context,
      deployment: this.#deployment,
      hashing: this.#hashing,
      services: this.#services,
    });
    return {
      adapter,
      description: { name, realm: options.realm, schemes: options.accept_schemes },
      allowsDowngrade: options.allow_downgrade === true,
    };
  }
}
