import { randomBytes } from 'node:crypto';
import { toFieldLines, type BootstrapEvent, type InjectedRequest, type Module } from '../framework';
import type { Identity } from '../modules/mvc-auth';

/** Runs before every other authentication listener. */
const FIRST = 1_000_000;

/**
 * Authenticates the requests of a test. A request carries the key of its identity in a header field; field name and key
 * are random, and a key is valid for one request.
 */
export class TestIdentities implements Module {
  readonly name = 'test-identities';
  readonly requires = ['mvc-auth'];
  readonly #field = `x-test-identity-${randomBytes(8).toString('hex')}`;
  readonly #identities = new Map<string, Identity>();

  onBootstrap({ application: { events } }: BootstrapEvent): void {
    events.attach(
      'authentication',
      ({ request }) => this.#identities.get(request.header(this.#field) ?? ''),
      FIRST,
    );
  }

  /** Sends a request on behalf of an identity. */
  async send(
    request: InjectedRequest,
    identity: Identity,
    send: (request: InjectedRequest) => Promise<Response>,
  ): Promise<Response> {
    const key = randomBytes(16).toString('hex');
    this.#identities.set(key, identity);
    try {
      const headers = [...toFieldLines(request.headers, 'inject()'), [this.#field, key] as const];
      return await send({ ...request, headers });
    } finally {
      this.#identities.delete(key);
    }
  }
}
