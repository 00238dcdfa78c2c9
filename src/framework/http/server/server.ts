import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import { inject } from '../inject/inject';
import { injectFetch } from '../inject/inject-fetch';
import type { InjectedRequest } from '../inject/injected-request';
import { problem } from '../../problem/errors';
import { Problem } from '../../problem/problem';
import { pluralize } from '../../text/pluralize';
import { ConnectionResponses } from './connection-responses';
import { CurrentHandler, type RequestHandler } from './current-handler';
import { MountedResponses } from './mounted-responses';
import { closeNodeServer, createNodeServer, limitNodeServer } from './node-server';
import { refuse } from './problem-response';
import { RequestAdmission } from './request-admission';
import { noteStopping } from '../refused-requests';
import { ServerConnections, type ConnectionCounts } from './server-connections';
import type { OpeningFailures } from '../connections/opening-failures';
import type { TlsMaterial } from '../tls/tls-files';
import type { ConnectionLimits } from '../limits/connection-limits';
import { listenError } from './connection-problems';

/** How a server closes, in seconds. */
export interface CloseOptions {
  /** How long it accepts connections first, with responses that close theirs; defaults to 0. */
  readonly drainDelay?: number;
  /** How long idle connections may still send a request afterwards; defaults to 0. */
  readonly idleGrace?: number;
}

const CLOSED = new Problem(503, 'The service is shutting down.');

/**
 * The HTTP server. Passes each request to the current application, which `swap` replaces without losing a request.
 * Errors of Node's parser (header section too large, malformed request) are answered with problems too.
 */
export class Server {
  readonly #http: HttpServer;
  readonly #responses = new ConnectionResponses();
  readonly #mounted = new MountedResponses();
  readonly #requests: RequestAdmission;
  readonly #connections: ServerConnections;
  /** The limits of the first handler: those of the parser cannot change. */
  readonly #headLimits: ConnectionLimits;
  readonly #current: CurrentHandler;
  #isDraining = false;
  #isClosed = false;

  constructor(application: RequestHandler) {
    this.#current = new CurrentHandler(application);
    const handle = (message: IncomingMessage, outgoing: ServerResponse): void =>
      this.#handle(message, outgoing);
    this.#headLimits = this.#current.limits;
    this.#requests = new RequestAdmission(this.#current);
    this.#http = createNodeServer(this.#headLimits, handle);
    this.#connections = new ServerConnections(this.#http, this.#current, this.#responses);
    this.#applyLimits();
    this.#http.on('timeout', (socket: Socket) => {
      if (this.#responses.onInactive(socket)) this.#current.countRefusal('inactivity_timeout', true);
    });
    // 100 Continue is sent when the body is read, so that a rejected request sends no body.
    this.#http.on('checkContinue', handle);
    this.#http.on('checkExpectation', (message: IncomingMessage, outgoing: ServerResponse) => {
      const expectation = message.headers.expect ?? '';
      // A list, of which empty elements are ignored (RFC 9110, 5.6.1 and 10.1.1).
      const isEmpty = !/[^\s,]/.test(expectation);
      this.#handle(message, outgoing, isEmpty ? undefined : problem('expectation_failed', { expectation }));
    });
    this.#http.on('connect', (_: IncomingMessage, socket: Socket) => this.#responses.onConnect(socket));
    this.#http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const cause = this.#responses.onClientError(error, socket, this.#headLimits);
      if (cause !== undefined) this.#current.countRefusal(cause);
    });
  }

  /** The current handler. Setting it passes all further requests to the new one. */
  get current(): RequestHandler {
    return this.#current.handler;
  }

  set current(next: RequestHandler) {
    this.#current.handler = next;
    this.#applyLimits();
  }

  /** Connections that were closed before their first request. */
  get openingFailures(): OpeningFailures {
    return this.#connections.openingFailures;
  }

  /** The certificate for HTTPS. Setting it applies to connections from now on; undefined serves HTTP. */
  get tls(): TlsMaterial | undefined {
    return this.#connections.opener.tls;
  }

  set tls(material: TlsMaterial | undefined) {
    this.#connections.opener.tls = material;
  }

  /**
   * Starts listening.
   * @returns the address, with the assigned port if `port` is 0
   * @throws ConfigurationError if the port is in use, or the address does not belong to this machine
   */
  listen(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port));
      this.#http.once('error', onError);
      this.#http.listen(port, host, () => {
        this.#http.off('error', onError);
        // Of one connection that the system could not accept (accept(2)): unhandled, it would end the process.
        this.#http.on('error', ({ message }) => this.openingFailures.add('accept', undefined, message));
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
    return inject(request, (socket) => this.#connections.inject(socket));
  }

  /**
   * Handles a `fetch` request, whether the server listens or not, with streams in both directions.
   * @param address of the client; empty if it is unknown
   * @throws Error when the connection ends before the response, or the signal of the request is aborted
   */
  fetch(request: globalThis.Request, address: string): Promise<globalThis.Response> {
    if (!this.#isClosed) return injectFetch(request, address, (socket) => this.#connections.inject(socket));
    return Promise.resolve(
      new globalThis.Response(JSON.stringify(CLOSED), {
        status: CLOSED.status,
        headers: { 'Content-Type': 'application/problem+json' },
      }),
    );
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
    if (this.#mounted.add(message, outgoing)) this.#requests.admit(message, outgoing);
  }

  /** Passes new requests to `next`, and disposes of the old handler after its last response. */
  async swap(next: RequestHandler): Promise<void> {
    const old = this.current;
    this.current = next;
    await old.dispose();
  }

  /** The connections: how many are open, and how many were refused by each cause. */
  get connections(): ConnectionCounts {
    return this.#connections.counts;
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
    for (const socket of this.#connections.open) this.#responses.closeAfterResponse(socket);
    if (drainDelay > 0 && this.#http.listening) {
      await sleep(drainDelay * 1_000);
      // Timers run before connections are accepted and read: some may wait if the process was busy.
      await afterReading();
    }
    this.#isClosed = true;
    this.#responses.announceStop([...this.#connections.open, ...this.#connections.injected], this.#mounted);
    const cut = setTimeout(() => {
      this.#reportCutOff(timeout);
      this.#connections.destroy();
      this.#mounted.destroy();
    }, timeout * 1_000);
    await closeNodeServer(this.#http, () => this.#connections.closeIdle(), idleGrace);
    this.#connections.stop();
    this.#requests.stop();
    this.#current.refusals.flush();
    // Closing Node's server does not wait for injected requests and those of other servers; disposing does.
    await this.current.dispose();
    clearTimeout(cut);
  }

  #reportCutOff(timeout: number): void {
    const { open, injected } = this.#connections;
    const requests = this.#responses.cutOff([...open, ...injected], this.#mounted);
    if (requests === 0) return;
    this.#current.log?.warn(
      { requests },
      `Cutting off ${pluralize(requests, 'request')} that did not finish within server.shutdown_timeout (${timeout} s).`,
    );
  }

  #applyLimits(): void {
    const { limits } = this.#current;
    this.#connections.applyLimits();
    this.#requests.limits = limits;
    limitNodeServer(this.#http, limits);
  }

  /** @param unmet the problem with what the request expects */
  #handle(message: IncomingMessage, outgoing: ServerResponse, unmet?: Problem): void {
    if (!this.#responses.add(outgoing)) return;
    if (this.#isDraining) outgoing.shouldKeepAlive = false;
    if (this.#isClosed) noteStopping(outgoing);
    const { maxRequestsPerConnection: maximum } = this.#current.limits;
    if (maximum > 0) this.#responses.countRequest(outgoing, maximum);
    this.#requests.admit(message, outgoing, unmet);
  }
}
