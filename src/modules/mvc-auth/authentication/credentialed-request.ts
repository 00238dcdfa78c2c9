import type { ClientCertificate, MvcEvent } from '../../../framework';
// For the type of `Endpoint.negotiation`.
import type {} from '../../content-negotiation';
import type { AuthenticationRequest } from '../http/authentication';
import type { SentCredential } from '../http/credential-location';

/** The maximum size in bytes of a body that credentials cover, unless its endpoint has a limit. */
const BODY_LIMIT = 1_048_576;

/** The view of adapters on a request. Most read the credentials only: everything expensive is lazy. */
export class CredentialedRequest implements AuthenticationRequest {
  readonly method: string;
  readonly target: string;
  readonly address: string;
  readonly authorization: readonly string[];
  readonly credential: SentCredential | undefined;
  readonly #event: MvcEvent;

  constructor(event: MvcEvent, authorization: readonly string[], credential?: SentCredential) {
    const { method, target, address } = event.request;
    this.method = method;
    this.target = target;
    this.address = address;
    this.authorization = authorization;
    this.credential = credential;
    this.#event = event;
  }

  get host(): string | undefined {
    return this.#event.request.host;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#event.request.clientCertificate;
  }

  get signal(): AbortSignal {
    return this.#event.request.signal;
  }

  /** A function that needs no `this`: adapters take it out of the request, as they may by its type. */
  get body(): () => Promise<Uint8Array> {
    return () => {
      const { request, endpoint } = this.#event;
      if (!request.hasBody) return Promise.resolve(Buffer.alloc(0));
      return request.read(endpoint?.negotiation?.bodyLimit ?? BODY_LIMIT);
    };
  }
}
