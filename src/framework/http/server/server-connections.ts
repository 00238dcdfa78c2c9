import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConnectionOpener } from '../connections/connection-opener';
import { IdleTimeouts } from '../connections/idle-timeouts';
import { OpeningFailures } from '../connections/opening-failures';
import { hasSent } from '../connections/opening-bytes';
import { ConnectionGate } from '../limits/connection-gate';
import { SlowClients, SWEEP_MS } from '../limits/slow-clients';
import type { ConnectionResponses } from './connection-responses';
import type { CurrentHandler } from './current-handler';
import { closeInStages } from './problem-response';

/** Numbers of connections. */
export interface ConnectionCounts {
  readonly open: number;
  /** By the setting of `server` that was the cause, such as `max_connections`. */
  readonly refused: Readonly<Record<string, number>>;
}

/**
 * The connections of a server: opened, counted and limited before Node's parser reads them, and ended if their clients
 * are slow.
 */
export class ServerConnections {
  readonly #http: HttpServer;
  readonly #current: CurrentHandler;
  readonly #responses: ConnectionResponses;
  readonly #gate = new ConnectionGate();
  readonly #idleTimeouts = new IdleTimeouts();
  readonly #slowClients = new SlowClients();
  readonly #sweep: NodeJS.Timeout;
  /** Those of injected requests. */
  readonly #injected = new Set<Duplex>();
  /** Passes an admitted connection to Node's parser. */
  readonly #serve: (socket: Duplex) => void;
  /** Connections that were closed before their first request. */
  readonly openingFailures: OpeningFailures;
  readonly opener: ConnectionOpener;

  constructor(http: HttpServer, current: CurrentHandler, responses: ConnectionResponses) {
    this.#http = http;
    this.#current = current;
    this.#responses = responses;
    this.openingFailures = new OpeningFailures(() => current.log);
    this.opener = new ConnectionOpener(this.openingFailures, (socket) => this.#admit(socket));
    const serving = http.listeners('connection');
    http.removeAllListeners('connection');
    this.#serve = (socket) => {
      for (const serve of serving) Reflect.apply(serve, http, [socket]);
    };
    const closeIdle = http.closeIdleConnections.bind(http);
    // `close` calls it, too.
    http.closeIdleConnections = () => this.#closeNodeIdle(closeIdle);
    http.on('connection', (socket: Socket) => this.opener.open(socket));
    http.on('drop', () => this.#gate.drop(current.refusals, current.log));
    this.#sweep = setInterval(() => {
      this.#idleTimeouts.sweep(this.open);
      this.#endSlowClients();
    }, SWEEP_MS).unref();
  }

  /** Those of clients. */
  get open(): ReadonlySet<Socket> {
    return this.#gate.connections;
  }

  /** Those of injected requests. */
  get injected(): ReadonlySet<Duplex> {
    return this.#injected;
  }

  get counts(): ConnectionCounts {
    return { open: this.open.size, refused: this.#gate.refused };
  }

  /** Serves the connection of an injected request. */
  inject(socket: Duplex): void {
    this.#injected.add(socket);
    socket.once('close', () => this.#injected.delete(socket));
    this.#serve(socket);
  }

  /** Applies the limits of the current handler to further connections. */
  applyLimits(): void {
    const { sendsProxyHeader, maxConnectionsPerAddress } = this.#current.limits;
    this.opener.options = { sendsProxyHeader, maxPerAddress: maxConnectionsPerAddress };
  }

  /** Closes the connections between two requests, and those that have sent nothing yet. */
  closeIdle(): void {
    this.opener.close();
    this.#http.closeIdleConnections();
    for (const socket of this.open) if (!hasSent(socket)) socket.destroy();
  }

  /**
   * Calls Node's `closeIdleConnections`, which also destroys connections whose response has ended, but is not sent: a slow
   * client would lose the rest of it.
   */
  #closeNodeIdle(close: () => void): void {
    const sending = [...this.open, ...this.#injected].filter((socket) =>
      this.#responses.isUnfinished(socket),
    );
    for (const socket of sending) socket.destroy = () => socket;
    close();
    // The method of the class again.
    for (const socket of sending) Reflect.deleteProperty(socket, 'destroy');
  }

  /**
   * Destroys all connections. Node's own method omits those that are refused or not open yet, and those with a CONNECT that
   * waits for an earlier response.
   */
  destroy(): void {
    this.opener.close();
    this.#gate.destroy();
    for (const socket of this.#injected) socket.destroy();
  }

  /** Stops looking for slow clients. */
  stop(): void {
    clearInterval(this.#sweep);
  }

  #admit(socket: Socket): void {
    // Its client has reset it already, and has no address for limits and logs: nobody would receive a response.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const { limits, refusals, log } = this.#current;
    if (!this.#gate.admit(socket, limits, refusals, log)) return;
    closeInStages(socket, () => this.#responses.isReading(socket));
    this.#idleTimeouts.watch(socket);
    this.#serve(socket);
  }

  #endSlowClients(): void {
    const { limits } = this.#current;
    const { minDataRate } = limits;
    if (minDataRate === 0) return;
    const isReceiving = (socket: Socket): boolean => this.#responses.isReceiving(socket);
    for (const [socket, slow] of this.#slowClients.find(this.open, limits, isReceiving)) {
      this.#current.countRefusal('min_data_rate', true);
      if (slow === 'body') this.#responses.onSlowBody(socket, minDataRate);
      else socket.destroy();
    }
  }
}
