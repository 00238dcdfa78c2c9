import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import { inject } from '../inject/inject';
import { injectFetch } from '../inject/inject-fetch';
import type { InjectedRequest } from '../inject/injected-request';
import { problem } from '../../problem/errors';
import { Problem } from '../../problem/problem';
import type { MaybePromise } from '../../events/maybe-promise';
import type { Log } from '../../logging/log';
import { ConnectionResponses, isUnsupported, refuse, refuseOverload } from './connection-responses';
import { problemResponse } from './problem-response';
import { ConnectionOpener } from '../connections/connection-opener';
import { OpeningFailures } from '../connections/opening-failures';
import type { TlsMaterial } from '../tls/tls-files';
import { ConnectionGate, MAX_REFUSALS } from '../limits/connection-gate';
import { DEFAULT_LIMITS, type ConnectionLimits } from '../limits/connection-limits';
import { Refusals, type RefusalCause } from '../limits/refusals';
import { RequestFraming } from '../limits/request-framing';
import { RequestGate } from '../limits/request-gate';
import { SlowClients, SWEEP_MS as RATE_SWEEP_MS } from '../limits/slow-clients';
import { listenError } from './connection-problems';

/** Handles requests: an application. */
export interface RequestHandler {
  /** @returns when the work is done, if that is later than the response may be */
  handle(message: IncomingMessage, outgoing: ServerResponse): MaybePromise<void>;
  /** Disposes of the handler after its last response. Idempotent; never rejects. */
  dispose(): Promise<void>;
  /** The limits of connections and requests while it is the current handler. */
  readonly limits?: ConnectionLimits;
  /** Logs refused connections and requests. */
  readonly log?: Log;
  /** Counts them. */
  readonly refusals?: Refusals;
  /** Whether a path is served even when others are refused because of overload. */
  isEssential?(target: string): boolean;
}

/** How a server closes, in seconds. */
export interface CloseOptions {
  /** How long it accepts connections first, with responses that close theirs; defaults to 0. */
  readonly drainDelay?: number;
  /** How long idle connections may still send a request afterwards; defaults to 0. */
  readonly idleGrace?: number;
}

/** How often a closing server closes idle connections, in milliseconds. */
const SWEEP_MS = 50;

/**
 * How often Node checks for request timeouts, in milliseconds: it ends all that have expired at once, which must not
 * stall other requests when thousands of slow clients connect.
 */
const TIMEOUT_CHECK_MS = 100;

/** The maximum time for receiving the header section without limits, in milliseconds: Node's default. */
const HEADERS_TIMEOUT_MS = 60_000;

const CLOSED = new Problem(503, 'The service is shutting down.');

/** By the code of the problem. */
const FRAMING_CAUSES: Readonly<Record<string, RefusalCause>> = {
  request_line_too_long: 'max_request_line',
  header_section_too_large: 'max_header_size',
  too_many_header_fields: 'max_header_fields',
};

/** Numbers of connections. */
export interface ConnectionCounts {
  readonly open: number;
  /** By the setting of `server` that was the cause, such as `max_connections`. */
  readonly refused: Readonly<Record<string, number>>;
}

/**
 * The HTTP server. Passes each request to the current application, which `swap` replaces without losing a request.
 * Errors of Node's parser (header section too large, malformed request) are answered with problems too.
 */
export class Server {
  readonly #http: HttpServer;
  readonly #responses = new ConnectionResponses();
  /** The responses on connections of other servers. */
  readonly #mounted = new Set<ServerResponse>();
  /** The connections of injected requests. */
  readonly #injected = new Set<Duplex>();
  readonly #framing: RequestFraming;
  readonly #gate = new ConnectionGate();
  /** Connections that were closed before their first request. */
  readonly openingFailures = new OpeningFailures(() => this.#current.log);
  readonly #opener = new ConnectionOpener(this.openingFailures, (socket) => this.#admit(socket));
  readonly #requests: RequestGate;
  readonly #slowClients = new SlowClients();
  readonly #ownRefusals = new Refusals();
  /** The limits of the first handler: those of the parser cannot change. */
  readonly #headLimits: ConnectionLimits;
  readonly #rateSweep: NodeJS.Timeout;
  #current: RequestHandler;
  #isDraining = false;
  #isClosed = false;

  constructor(application: RequestHandler) {
    this.#current = application;
    const handle = (message: IncomingMessage, outgoing: ServerResponse): void =>
      this.#handle(message, outgoing);
    this.#headLimits = this.#limits;
    this.#framing = new RequestFraming(this.#headLimits);
    this.#requests = new RequestGate(this.#limits, (outgoing, cause) => {
      this.#countRefusal(cause, true);
      refuseOverload(outgoing);
    });
    const options = {
      requireHostHeader: false,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Distinguishes a long request line from a large header section.
      maxHeaderSize: this.#headLimits.maxRequestLine + this.#headLimits.maxHeaderSize,
    };
    this.#http = createServer(options, handle);
    // The parser would drop further fields silently.
    this.#http.maxHeadersCount = 0;
    this.#guardConnections();
    this.#applyLimits();
    this.#rateSweep = setInterval(() => this.#endSlowClients(), RATE_SWEEP_MS).unref();
    this.#http.on('timeout', (socket: Socket) => {
      if (this.#responses.onInactive(socket)) this.#countRefusal('inactivity_timeout', true);
    });
    // 100 Continue is sent when the body is read, so that a rejected request sends no body.
    this.#http.on('checkContinue', handle);
    this.#http.on('checkExpectation', (message: IncomingMessage, outgoing: ServerResponse) => {
      problemResponse(problem('expectation_failed', { expectation: message.headers.expect ?? '' })).send(
        outgoing,
        message.method ?? 'GET',
      );
    });
    this.#http.on('connect', (_: IncomingMessage, socket: Socket) => this.#responses.onConnect(socket));
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const cause = this.#responses.onClientError(error, socket, this.#headLimits);
      if (cause !== undefined) this.#countRefusal(cause);
    });
  }

  /** The current handler. Setting it passes all further requests to the new one. */
  get current(): RequestHandler {
    return this.#current;
  }

  set current(next: RequestHandler) {
    this.#current = next;
    this.#applyLimits();
  }

  /** The certificate for HTTPS. Setting it applies to connections from now on; undefined serves HTTP. */
  get tls(): TlsMaterial | undefined {
    return this.#opener.tls;
  }

  set tls(material: TlsMaterial | undefined) {
    this.#opener.tls = material;
  }

  /**
   * Starts listening.
   * @returns the address, with the assigned port if `port` is 0
   * @throws ConfigurationError if the port is in use, or the address does not belong to this machine
   */
  listen(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
      this.#http.listen(port, host, () => {
        this.#http.removeAllListeners('error');
        // A server that listens on a port has an AddressInfo.
        resolve(this.#http.address() as AddressInfo);
      });
    });
  }

  /**
   * Handles a request without a socket, whether the server listens or not.
   * @throws Error when the connection ends before the response, and after `close`
   */
  inject(request: InjectedRequest): Promise<globalThis.Response> {
    if (this.#isClosed) {
      return Promise.reject(
        new Error('inject(): the server is closed. Await every response before closing.'),
      );
    }
    return inject(request, (socket) => this.#connect(socket));
  }

  /**
   * Handles a `fetch` request, whether the server listens or not, with streams in both directions.
   * @param address of the client; empty if it is unknown
   * @throws Error when the connection ends before the response, or the signal of the request is aborted
   */
  fetch(request: globalThis.Request, address: string): Promise<globalThis.Response> {
    if (!this.#isClosed) return injectFetch(request, address, (socket) => this.#connect(socket));
    return Promise.resolve(
      new globalThis.Response(JSON.stringify(CLOSED), {
        status: CLOSED.status,
        headers: { 'Content-Type': 'application/problem+json' },
      }),
    );
  }

  #connect(socket: Duplex): void {
    this.#injected.add(socket);
    socket.once('close', () => this.#injected.delete(socket));
    this.#serve(socket);
  }

  /**
   * Handles a request of another server, with the limits of requests. The limits of connections, and their end, are
   * those of that server.
   */
  handle(message: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#isClosed) {
      refuse(message, outgoing, CLOSED);
      return;
    }
    this.#mounted.add(outgoing);
    outgoing.once('close', () => this.#mounted.delete(outgoing));
    this.#admitRequest(message, outgoing);
  }

  /** Passes new requests to `next`, and disposes of the old handler after its last response. */
  async swap(next: RequestHandler): Promise<void> {
    const old = this.#current;
    this.current = next;
    await old.dispose();
  }

  /** The connections: how many are open, and how many were refused by each cause. */
  get connections(): ConnectionCounts {
    return { open: this.#gate.connections.size, refused: this.#gate.refused };
  }

  /** Whether `close` was called: connections end after their next response. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Stops without losing a request: responses carry `Connection: close` (RFC 9112, 9.6) from now on, then the server
   * stops accepting connections, then it closes the idle ones, and waits for requests in flight.
   * @param timeout in seconds from the end of the delay; connections still open after it are destroyed
   */
  async close(timeout: number, { drainDelay = 0, idleGrace = 0 }: CloseOptions = {}): Promise<void> {
    this.#isDraining = true;
    for (const socket of this.#gate.connections) this.#responses.closeAfterResponse(socket);
    if (drainDelay > 0 && this.#http.listening) {
      await sleep(drainDelay * 1_000);
      // Timers run before connections are accepted and read: some may wait if the process was busy.
      await afterReading();
    }
    this.#isClosed = true;
    const closed = new Promise<void>((resolve) => {
      // The method of the HTTP server would close the idle connections at once.
      if (this.#http.listening) NetServer.prototype.close.call(this.#http, () => resolve());
      else resolve();
    });
    const sweepFrom = performance.now() + idleGrace * 1_000;
    // Busy connections become idle after their response, and clients would keep them open.
    const sweep = setInterval(() => {
      // As above: requests may wait.
      if (performance.now() >= sweepFrom) setImmediate(() => this.#closeIdle());
    }, SWEEP_MS);
    const cut = setTimeout(() => {
      this.#reportCutOff(timeout);
      this.#http.closeAllConnections();
      for (const one of [...this.#injected, ...this.#mounted]) one.destroy();
    }, timeout * 1_000);
    await closed;
    clearInterval(sweep);
    clearInterval(this.#rateSweep);
    this.#requests.stop();
    this.#refusals.flush();
    // Stops checking for request timeouts.
    this.#http.close();
    // `close` does not wait for injected requests and those of other servers; the application does.
    await this.#current.dispose();
    clearTimeout(cut);
  }

  #reportCutOff(timeout: number): void {
    const requests = this.#responses.cutOff([...this.#gate.connections, ...this.#injected], this.#mounted);
    if (requests === 0) return;
    this.#current.log?.warn(
      { requests },
      `Cutting off ${requests} ${requests === 1 ? 'request' : 'requests'} that did not finish within server.shutdown_timeout (${timeout} s).`,
    );
  }

  /** Closes the connections between two requests, and those that have sent nothing yet. */
  #closeIdle(): void {
    this.#opener.close();
    this.#http.closeIdleConnections();
    for (const socket of this.#gate.connections) if (socket.bytesRead === 0) socket.destroy();
  }

  get #limits(): ConnectionLimits {
    return this.#current.limits ?? DEFAULT_LIMITS;
  }

  #applyLimits(): void {
    const { headerTimeout, requestTimeout, inactivityTimeout, keepAliveTimeout, maxConnections } =
      this.#limits;
    const { sendsProxyHeader, maxConnectionsPerAddress } = this.#limits;
    this.#opener.options = { sendsProxyHeader, maxPerAddress: maxConnectionsPerAddress };
    this.#http.requestTimeout = requestTimeout * 1_000;
    this.#http.headersTimeout = Math.min(
      ...[headerTimeout, requestTimeout].filter((seconds) => seconds > 0).map((seconds) => seconds * 1_000),
      HEADERS_TIMEOUT_MS,
    );
    this.#requests.limits = this.#limits;
    this.#http.timeout = inactivityTimeout * 1_000;
    this.#http.keepAliveTimeout = keepAliveTimeout * 1_000;
    // The additional ones receive a 503.
    this.#http.maxConnections = maxConnections + MAX_REFUSALS;
  }

  /** Passes an admitted connection to Node's parser. */
  #serve: (socket: Duplex) => void = () => undefined;

  #guardConnections(): void {
    const serving = this.#http.listeners('connection');
    this.#http.removeAllListeners('connection');
    this.#serve = (socket) => {
      for (const serve of serving) Reflect.apply(serve, this.#http, [socket]);
    };
    this.#http.on('connection', (socket: Socket) => this.#opener.open(socket));
    this.#http.on('drop', () => this.#gate.drop(this.#refusals, this.#current.log));
  }

  #admit(socket: Socket): void {
    if (this.#gate.admit(socket, this.#limits, this.#refusals, this.#current.log)) this.#serve(socket);
  }

  get #refusals(): Refusals {
    return this.#current.refusals ?? this.#ownRefusals;
  }

  #countRefusal(cause: RefusalCause, isLogged = false): void {
    this.#refusals.add(cause, isLogged ? this.#current.log : undefined);
  }

  #endSlowClients(): void {
    const { minDataRate } = this.#limits;
    if (minDataRate === 0) return;
    const isReceiving = (socket: Socket): boolean => this.#responses.isReceiving(socket);
    for (const [socket, slow] of this.#slowClients.find(this.#gate.connections, this.#limits, isReceiving)) {
      this.#countRefusal('min_data_rate', true);
      if (slow === 'body') this.#responses.onSlowBody(socket, minDataRate);
      else socket.destroy();
    }
  }

  #handle(message: IncomingMessage, outgoing: ServerResponse): void {
    this.#responses.add(outgoing);
    if (this.#isDraining) outgoing.shouldKeepAlive = false;
    const { maxRequestsPerConnection: maximum } = this.#limits;
    if (maximum > 0 && !this.#responses.countRequest(outgoing, maximum)) return;
    this.#admitRequest(message, outgoing);
  }

  #admitRequest(message: IncomingMessage, outgoing: ServerResponse): void {
    const refusal = this.#framing.check(message);
    if (refusal !== undefined) {
      const other = isUnsupported(refusal.status) ? 'unsupported' : 'malformed';
      this.#countRefusal(FRAMING_CAUSES[refusal.code ?? ''] ?? other);
      refuse(message, outgoing, refusal);
    } else if (!this.#requests.isActive) void this.#current.handle(message, outgoing);
    else {
      const isEssential = this.#current.isEssential?.(message.url ?? '') === true;
      this.#requests.enter(outgoing, isEssential, () => this.#current.handle(message, outgoing));
    }
  }
}
