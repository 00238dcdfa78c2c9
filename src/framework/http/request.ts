import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '../problem/errors';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import { arrivedBody, awaitBody, bodyChunks, hasBody, type BodyLimits } from './body';
import { BodyBudget, type BodyReservation } from './limits/body-budget';
import { headerLines } from './fields';
import { ClientAddresses } from './proxies/client-addresses';
import type { ForwardedRequest } from './proxies/forwarding';
import { isIncomplete } from './refused-requests';
import { clientRequestId, RequestIds } from './request-id';
import { retargetedMessage } from './retargeted-message';
import { clientCertificateOf, type ClientCertificate } from './tls/client-certificate';
import { authorityOf, splitTarget, type Target } from './target';

/** State shared by all requests of an application. */
export interface RequestEnvironment {
  /** Generates the ids of requests without one. */
  readonly ids: RequestIds;
  /** Limits the memory of request bodies. */
  readonly bodies: BodyBudget;
  /** Resolves client addresses behind proxies. */
  readonly addresses: ClientAddresses;
  /** The maximum number of trailer fields of a chunked body; defaults to any number. */
  readonly maxTrailerFields?: number;
}

/** A request over `node:http`. Everything is parsed on first use, so that early rejections are cheap. */
export class Request {
  readonly message: IncomingMessage;
  readonly method: string;
  readonly #outgoing: ServerResponse;
  readonly #environment: RequestEnvironment;
  #id: string | undefined;
  #address: string | undefined;
  #forwarded: ForwardedRequest | undefined;
  #split: Target | undefined;
  #query: URLSearchParams | undefined;
  #abort: AbortController | undefined;
  #body: MaybePromise<Buffer> | undefined;
  #bodyLimit = 0;
  #reservation: BodyReservation | undefined;

  constructor(message: IncomingMessage, outgoing: ServerResponse, environment = defaultEnvironment()) {
    this.message = message;
    this.method = message.method ?? 'GET';
    this.#outgoing = outgoing;
    this.#environment = environment;
  }

  /**
   * The request id for logs and responses: the client's `X-Request-Id` (1 to 128 letters, digits and `_ . ~ -`), or
   * the trace id of its `traceparent` (W3C Trace Context), or a generated id.
   */
  get id(): string {
    return (this.#id ??= this.#clientId() ?? this.#environment.ids.next());
  }

  #clientId(): string | undefined {
    return clientRequestId(this.header('x-request-id'), this.header('traceparent'));
  }

  /**
   * Returns the request that the same client would send with another method and target, without body, credentials and
   * other fields: to find out what it would address.
   */
  retarget(method: string, target: string): Request {
    const { message, outgoing } = retargetedMessage(this.message, method, target);
    return new Request(message, outgoing, this.#environment);
  }

  /** The request target exactly as received. */
  get target(): string {
    return this.message.url ?? '/';
  }

  /** The path of the target, still percent-encoded. */
  get path(): string {
    return (this.#split ??= splitTarget(this.target)).path;
  }

  /** The query of the target, still encoded, without its `?`. */
  get rawQuery(): string {
    return (this.#split ??= splitTarget(this.target)).query;
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.rawQuery));
  }

  /**
   * Removes parameters from `query` and `rawQuery`, e.g. credentials; `target` keeps them.
   * @param names decoded
   */
  removeFromQuery(names: readonly string[]): void {
    const { path, query } = (this.#split ??= splitTarget(this.target));
    if (query === '' || names.length === 0) return;
    const kept = query.split('&').filter((pair) => {
      const [name] = new URLSearchParams(pair).keys();
      return name === undefined || !names.includes(name);
    });
    this.#split = { path, query: kept.join('&') };
    this.#query = undefined;
  }

  /** Returns a field value; several lines are joined with commas (RFC 9110, 5.3). @param name in any letter case */
  header(name: string): string | undefined {
    const { headers } = this.message;
    const value = headers[name] ?? headers[name.toLowerCase()];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  /** Returns every line of a field, as received; `header` drops repeated lines of some. @param name in any letter case */
  headerLines(name: string): readonly string[] {
    return headerLines(this.message.rawHeaders, name.toLowerCase());
  }

  /**
   * The client's network address: the peer's, or the one forwarded by the proxies in `server.trust_proxy`. Empty if
   * the connection closed before the first access.
   */
  get address(): string {
    return (this.#address ??= this.#environment.addresses.of(this.message));
  }

  /** Whether the address may belong to an untrusted proxy rather than to the client. */
  get isAddressUnknown(): boolean {
    return this.#environment.addresses.isUnknown(this.message);
  }

  get #client(): ForwardedRequest {
    return (this.#forwarded ??= this.#environment.addresses.resolve(this.message));
  }

  /**
   * The host and port that the client requested, e.g. `localhost:8080`: as forwarded by trusted proxies, of an
   * absolute-form target, or of `Host` (RFC 9112, 3.2.2). Client input; undefined in HTTP/1.0 requests without any.
   */
  get host(): string | undefined {
    return this.#client.host ?? authorityOf(this.target) ?? this.header('host');
  }

  /** How the client sent the request: of the connection, or as forwarded by trusted proxies. */
  get scheme(): 'http' | 'https' {
    return this.#client.scheme;
  }

  /** The certificate of the client, verified by `server.tls.client_certificates`; undefined without one. */
  get clientCertificate(): ClientCertificate | undefined {
    return clientCertificateOf(this.message);
  }

  /** Whether the request has a body (RFC 9112, 6.3). */
  get hasBody(): boolean {
    return hasBody(this.message);
  }

  /** Aborted when the client disconnects before the response is complete. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      // The response that is closed by now emits no further event.
      if (this.isAborted) abort.abort();
      else
        this.#outgoing.once('close', () => {
          if (this.isAborted) abort.abort();
        });
    }
    return this.#abort.signal;
  }

  /** Whether the client has disconnected before the response was complete. Costs less than a `signal`. */
  get isAborted(): boolean {
    return this.#outgoing.destroyed && isIncomplete(this.#outgoing);
  }

  /**
   * Yields the chunks of the body without buffering it, or the buffered body if `read` was called before.
   * @param limit in bytes
   * @throws Problem 413 if the body is longer, 431 for too many trailer fields, 400 if the client disconnects
   */
  async *chunks(limit: number): AsyncGenerator<Buffer, void, undefined> {
    if (this.#body === undefined) yield* bodyChunks(this.message, this.#outgoing, this.#limits(limit));
    else yield await this.read(limit);
  }

  /**
   * Reserves memory for bytes that a consumer of `chunks` buffers. Released when the response is complete.
   * @throws Problem 503 when the memory budget for bodies is exhausted
   */
  reserve(bytes: number): void {
    this.#reserved.add(bytes);
  }

  #limits(bytes: number): BodyLimits {
    return { bytes, trailerFields: this.#environment.maxTrailerFields ?? Infinity };
  }

  get #reserved(): BodyReservation {
    return (this.#reservation ??= this.#environment.bodies.reservationFor(this.#outgoing));
  }

  /**
   * Reads the body. It is read once and then cached: both authentication and the handler may need it.
   * @param limit in bytes
   * @throws Problem 413 if it is longer, 431 for too many trailer fields, 503 when the memory budget for bodies is exhausted
   */
  async read(limit: number): Promise<Buffer> {
    return this.readBody(limit);
  }

  /** Reads the body as `read` does, without a promise if all of it has arrived. */
  readBody(limit: number): MaybePromise<Buffer> {
    if (this.#body === undefined) {
      const limits = this.#limits(limit);
      this.#bodyLimit = limit;
      this.#body =
        arrivedBody(this.message, limits, this.#reserved) ??
        awaitBody(this.message, this.#outgoing, limits, this.#reserved);
    }
    if (limit >= this.#bodyLimit) return this.#body;
    return andThen(this.#body, (body) => {
      if (body.length > limit) throw problem('content_too_large', { limit });
      return body;
    });
  }
}

function defaultEnvironment(): RequestEnvironment {
  return { ids: new RequestIds(), bodies: new BodyBudget(), addresses: new ClientAddresses() };
}
