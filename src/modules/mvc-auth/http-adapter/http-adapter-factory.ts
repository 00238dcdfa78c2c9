import type { Static } from '@sinclair/typebox';
import { randomBytes } from 'node:crypto';
import { steadyNow } from '../../../framework';
import type { AdapterContext, AdapterFactory, OpenAdapter } from '../adapters/adapter-factory';
import { NonceCounts } from '../http/digest/nonce-counts';
import { openHttpAdapter } from './http-adapter';
import type { PasswordHashing } from '../passwords/password-hashing';
import { httpAdapterSettings } from '../settings';

/** The nonce key and counts of the deployment, which outlive reloads. */
export class NonceState {
  readonly key = randomBytes(32);
  readonly counts = new NonceCounts({ clock: steadyNow });
}

/** Opens adapters of the kind `HttpAdapter`: Basic and Digest over password files. */
export class HttpAdapterFactory implements AdapterFactory {
  readonly settings = httpAdapterSettings;
  readonly #state: NonceState;
  readonly #hashing: PasswordHashing;

  constructor(state: NonceState, hashing: PasswordHashing) {
    this.#state = state;
    this.#hashing = hashing;
  }

  async open(
    name: string,
    options: Static<typeof httpAdapterSettings>,
    context: AdapterContext,
  ): Promise<OpenAdapter> {
    const { key: nonceKey, counts } = this.#state;
    const adapter = await openHttpAdapter(name, options, {
      ...context,
      nonceKey,
      counts,
      hashing: this.#hashing,
    });
    return {
      adapter,
      description: { name, realm: options.realm, schemes: options.accept_schemes },
      allowsDowngrade: options.allow_downgrade === true,
    };
  }
}
