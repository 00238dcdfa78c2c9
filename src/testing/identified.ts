import { randomBytes } from 'node:crypto';
import { fieldLines, type BootstrapEvent, type InjectedRequest, type Module } from '../framework';
import type { Identity } from '../modules/mvc-auth';

/** Before every other source of identities. */
const FIRST = 1_000_000;

/**
 * Who makes the requests of a test: a source of identities that a field of the request names. What it names holds for
 * one request and is known to nobody else.
 */
export class Identified implements Module {
  readonly name = 'test-identities';
  readonly needs = ['mvc-auth'];
  readonly #field = `x-test-identity-${randomBytes(8).toString('hex')}`;
  readonly #identities = new Map<string, Identity>();

  onBootstrap({ application: { events } }: BootstrapEvent): void {
    events.attach(
      'authentication',
      ({ request }) => this.#identities.get(request.header(this.#field) ?? ''),
      FIRST,
    );
  }

  /** Sends a request that an identity makes. */
  async send(
    request: InjectedRequest,
    identity: Identity,
    send: (request: InjectedRequest) => Promise<Response>,
  ): Promise<Response> {
    const key = randomBytes(16).toString('hex');
    this.#identities.set(key, identity);
    try {
      const headers = [...fieldLines(request.headers, 'inject()'), [this.#field, key] as const];
      return await send({ ...request, headers });
    } finally {
      this.#identities.delete(key);
    }
  }
}
