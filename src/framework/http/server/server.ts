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
import type { InjectedRequest } from '../inject/injected-request';
import { problem } from '../../problem/errors';
import type { Log } from '../../logging/log';
import { ConnectionResponses, refuse } from './connection-responses';
import { problemResponse } from './problem-response';
import { ConnectionOpener } from '../connections/connection-opener';
import { OpeningFailures } from '../connections/opening-failures';
import type { TlsMaterial } from '../tls/tls-files';
import { ConnectionGate, MAX_REFUSALS } from '../limits/connection-gate';
import { DEFAULT_LIMITS, type ConnectionLimits } from '../limits/connection-limits';
import { RequestFraming } from '../limits/request-framing';
import { listenError } from './connection-problems';

/** Handles requests: an application. */
export interface RequestHandler {
  handle(message: IncomingMessage, outgoing: ServerResponse): void;
  /** Disposes of the handler after its last response. Idempotent; never rejects. */
  dispose(): Promise<void>;
  /** The limits of connections while it is the current handler. */
  readonly limits?: ConnectionLimits;
  /** Logs refused connections. */
  readonly log?: Log;
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

/** How often Node checks for request timeouts, in milliseconds. */
const TIMEOUT_CHECK_MS = 1_000;

/** The maximum time for receiving the header section, in milliseconds: Node's default. */
const HEADERS_TIMEOUT_MS = 60_000;

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
  /** The connections of injected requests. */
  readonly #injected = new Set<Duplex>();
  readonly #framing = new RequestFraming();
  readonly #gate = new ConnectionGate();
  /** Connections that were closed before their first request. */
  readonly openingFailures = new OpeningFailures(() => this.#current.log);
  readonly #opener = new ConnectionOpener(this.openingFailures, (socket) => this.#admit(socket));
  #current: RequestHandler;
  #isDraining = false;
  #isClosed = false;

  constructor(application: RequestHandler) {
    this.#current = application;
    const handle = (message: IncomingMessage, outgoing: ServerResponse): void =>
      this.#handle(message, outgoing);
    const options = { requireHostHeader: false, connectionsCheckingInterval: TIMEOUT_CHECK_MS };
    this.#http = createServer(options, handle);
    this.#guardConnections();
    this.#applyLimits();
    this.#http.on('timeout', (socket: Socket) => this.#responses.onInactive(socket));
    // 100 Continue is sent when the body is read, so that a rejected request sends no body.
    this.#http.on('checkContinue', handle);
    this.#http.on('checkExpectation', (message: IncomingMessage, outgoing: ServerResponse) => {
      problemResponse(problem('expectation_failed', { expectation: message.headers.expect ?? '' })).send(
        outgoing,
        message.method ?? 'GET',
      );
    });
    this.#http.on('connect', (_: IncomingMessage, socket: Socket) => this.#responses.onConnect(socket));
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.#responses.onClientError(error, socket),
    );
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
    return inject(request, (socket) => {
      this.#injected.add(socket);
      socket.once('close', () => this.#injected.delete(socket));
      this.#serve(socket);
    });
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
      NetServer.prototype.close.call(this.#http, () => resolve());
    });
    const sweepFrom = performance.now() + idleGrace * 1_000;
    // Busy connections become idle after their response, and clients would keep them open.
    const sweep = setInterval(() => {
      // As above: requests may wait.
      if (performance.now() >= sweepFrom) setImmediate(() => this.#closeIdle());
    }, SWEEP_MS);
    const cut = setTimeout(() => {
      this.#http.closeAllConnections();
      for (const socket of this.#injected) socket.destroy();
    }, timeout * 1_000);
    await closed;
    clearInterval(sweep);
    // Stops checking for request timeouts.
    this.#http.close();
    // `close` does not wait for injected requests; the application does.
    await this.#current.dispose();
    clearTimeout(cut);
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
    const { requestTimeout: seconds, inactivityTimeout, keepAliveTimeout, maxConnections } = this.#limits;
    const { sendsProxyHeader, maxConnectionsPerAddress } = this.#limits;
    this.#opener.options = { sendsProxyHeader, maxPerAddress: maxConnectionsPerAddress };
    this.#http.requestTimeout = seconds * 1_000;
    this.#http.headersTimeout =
      seconds === 0 ? HEADERS_TIMEOUT_MS : Math.min(seconds * 1_000, HEADERS_TIMEOUT_MS);
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
  }

  #admit(socket: Socket): void {
    if (this.#gate.admit(socket, this.#limits, this.#current.log)) this.#serve(socket);
  }

  #handle(message: IncomingMessage, outgoing: ServerResponse): void {
    this.#responses.add(outgoing);
    if (this.#isDraining) outgoing.shouldKeepAlive = false;
    const refusal = this.#framing.check(message);
    if (refusal === undefined) this.#current.handle(message, outgoing);
    else refuse(message, outgoing, refusal);
  }
}
