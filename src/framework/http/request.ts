import type { IncomingMessage, ServerResponse } from 'node:http';
import { problem } from '../problem/errors';
import { bodyChunks, readBody } from './body';
import { BodyBudget, type BodyReservation } from './limits/body-budget';
import { ClientAddresses } from './server/client-address';
import { headerLines } from './fields';
import { givenRequestId, RequestIds } from './request-id';
import { authorityOf, splitTarget, type Target } from './target';

/** What requests of one service share. */
export interface RequestEnvironment {
  /** Makes the ids of requests that bring none. */
  readonly ids: RequestIds;
  /** What bodies may take of the memory. */
  readonly bodies: BodyBudget;
  /** Whose address counts as the client's. */
  readonly addresses: ClientAddresses;
}

/**
 * A request over `node:http`. Nothing is parsed before it is asked for: a request that is refused early
 * costs little.
 */
export class Request {
  readonly message: IncomingMessage;
  readonly method: string;
  readonly #outgoing: ServerResponse;
  readonly #environment: RequestEnvironment;
  #id: string | undefined;
  #address: string | undefined;
  #split: Target | undefined;
  #query: URLSearchParams | undefined;
  #abort: AbortController | undefined;
  #body: Promise<Buffer> | undefined;
  #bodyLimit = 0;
  #reservation: BodyReservation | undefined;

  /** @param environment of a request alone, unless it is given */
  constructor(message: IncomingMessage, outgoing: ServerResponse, environment = alone()) {
    this.message = message;
    this.method = message.method ?? 'GET';
    this.#outgoing = outgoing;
    this.#environment = environment;
  }

  /**
   * What the request is called in logs and answers: the client's `X-Request-Id` (1 to 128 letters, digits and
   * `_ . ~ -`), or the trace id of its `traceparent` (W3C Trace Context), or one of the platform's own.
   */
  get id(): string {
    return (this.#id ??= this.#givenId() ?? this.#environment.ids.next());
  }

  #givenId(): string | undefined {
    return givenRequestId(this.header('x-request-id'), this.header('traceparent'));
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

  /** A field's value; lines of one name are joined with a comma (RFC 9110, 5.3). @param name in lower case */
  header(name: string): string | undefined {
    const value = this.message.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  /** Every line of a field, as received: Node's joined view hides all but the first of some. @param name in lower case */
  headerLines(name: string): readonly string[] {
    return headerLines(this.message.rawHeaders, name);
  }

  /**
   * The client's network address: the peer's, or the one that proxies of `server.trust_proxy` tell. Empty when the
   * connection was gone before anybody asked.
   */
  get address(): string {
    return (this.#address ??= this.#environment.addresses.of(this.message));
  }

  /** Whether the address may be that of a proxy which is not trusted to say for whom it asks. */
  get isAddressUnknown(): boolean {
    return this.#environment.addresses.isUnknown(this.message);
  }

  /**
   * The host and port that the request is for, e.g. `localhost:8080`: of the target, where that names them, otherwise
   * of `Host` (RFC 9112, 3.2.2). Whatever the client says; undefined in HTTP/1.0 without either.
   */
  get host(): string | undefined {
    return authorityOf(this.target) ?? this.header('host');
  }

  /** Whether a body follows, by the rules of RFC 9112, 6.3. */
  get hasBody(): boolean {
    const { headers } = this.message;
    if (headers['transfer-encoding'] !== undefined) return true;
    const length = headers['content-length'];
    return length !== undefined && length !== '0';
  }

  /** Aborted when the client leaves before the answer is complete. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      this.#outgoing.once('close', () => {
        if (!this.#outgoing.writableFinished) abort.abort();
      });
    }
    return this.#abort.signal;
  }

  /**
   * The body as it comes, for who does not want it in memory. Once somebody has read it, it comes from there.
   * @param limit in bytes
   * @throws Problem 413 when it is longer, 400 when the client breaks off
   */
  async *chunks(limit: number): AsyncGenerator<Buffer, void, undefined> {
    if (this.#body === undefined) yield* bodyChunks(this.message, this.#outgoing, limit);
    else yield await this.read(limit);
  }

  /**
   * Counts bytes of the body that are kept in memory, for who takes it from `chunks`; they count until the answer is
   * complete.
   * @throws Problem 503 where bodies take as much memory as they may
   */
  reserve(bytes: number): void {
    this.#reserved.add(bytes);
  }

  get #reserved(): BodyReservation {
    return (this.#reservation ??= this.#environment.bodies.reservationFor(this.#outgoing));
  }

  /**
   * Reads the body. It comes off the connection once, and is kept for who asks later: authentication may need
   * the octets that a handler needs too.
   * @param limit in bytes
   * @throws Problem 413 when it is longer, 503 where bodies take as much memory as they may
   */
  read(limit: number): Promise<Buffer> {
    if (this.#body === undefined) {
      this.#bodyLimit = limit;
      this.#body = readBody(this.message, this.#outgoing, limit, this.#reserved);
    }
    if (limit >= this.#bodyLimit) return this.#body;
    return this.#body.then((body) => {
      if (body.length > limit) throw problem('content_too_large', { limit });
      return body;
    });
  }
}

function alone(): RequestEnvironment {
  return { ids: new RequestIds(), bodies: new BodyBudget(), addresses: new ClientAddresses() };
}
