import type { Application, ApplicationHost, InjectedRequest, Measurement, Server } from '../framework';
import type { Workers } from '../workers/workers';

/** A running server. */
export interface RunningPlatform {
  /** `http://host:port`, or `https://host:port` with `server.tls`; the port is 0 if the server does not listen. */
  readonly origin: string;
  /** The active application; replaced when the configuration changes. */
  readonly application: Application;
  readonly host: ApplicationHost;
  readonly server: Server;
  /**
   * Of the server.
   * @internal
   */
  readonly measurements: readonly Measurement[];
  /**
   * The workers that serve its requests; undefined if this process does.
   * @internal
   */
  readonly workers: Workers | undefined;
  /** The origin of the operations port, such as `http://127.0.0.1:9464`; undefined if it is not open. */
  readonly operations: string | undefined;
  /**
   * Handles a request without a socket, processed like one from the network.
   *
   * @example
   * const answer = await platform.inject({ method: 'POST', path: '/notes', json: { text: 'short' } });
   * expect(answer.status).toBe(201);
   */
  inject(request: InjectedRequest): Promise<Response>;
  /**
   * Shuts down without losing a request: responses close their connections, after `server.drain_delay` the listener is
   * closed, idle connections get a second for a last request, and requests in flight `server.shutdown_timeout`.
   */
  stop(options?: StopOptions): Promise<void>;
}

/** How a server stops. */
export interface StopOptions {
  /** Seconds in which idle connections may still send a request; defaults to 1. */
  readonly idleGrace?: number;
  /** Seconds in which connections are still accepted; defaults to `server.drain_delay`. */
  readonly drainDelay?: number;
}
