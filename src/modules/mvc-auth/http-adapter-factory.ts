import type { Static } from '@sinclair/typebox';
import { randomBytes } from 'node:crypto';
import type { AdapterContext, AdapterFactory, OpenAdapter } from './adapter-factory';
import { NonceCounts } from './http/digest/nonce-counts';
import { openHttpAdapter } from './http/http-adapter';
import { httpAdapterSettings } from './settings';

/** What Digest keeps for the whole deployment: it outlives every application. */
export class NonceState {
  readonly key = randomBytes(32);
  readonly counts = new NonceCounts();
}

/** The kind `HttpAdapter`: Basic and Digest over password files. */
export class HttpAdapterFactory implements AdapterFactory {
  readonly settings = httpAdapterSettings;
  readonly #state: NonceState;

  constructor(state: NonceState) {
    this.#state = state;
  }

  async open(
    name: string,
    options: Static<typeof httpAdapterSettings>,
    context: AdapterContext,
  ): Promise<OpenAdapter> {
    const { key: nonceKey, counts } = this.#state;
    const adapter = await openHttpAdapter(name, options, { ...context, nonceKey, counts });
    return {
      adapter,
      description: { name, realm: options.realm, schemes: options.accept_schemes },
      allowsDowngrade: options.allow_downgrade === true,
    };
  }
}
