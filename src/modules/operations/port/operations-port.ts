import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  problem,
  splitTarget,
  systemErrorCode,
  type ApplicationHost,
  type Measurement,
  type Problem,
} from '../../../framework';
import type { WorkerMetrics } from '../metrics/worker-metrics';
import { metricsText, type MetricSources } from '../metrics/metrics';
import { METRICS_TYPE } from '../metrics/exposition';
import { MeasurementReader } from '../metrics/measurement-reader';
import { ProcessMetrics } from '../metrics/process-metrics';
import { RequestMetrics } from '../metrics/request-metrics';
import type { ListenAddress } from './listen-address';
import { readinessOf } from './readiness';

/** What the operations port reports about. */
export interface ObservedService {
  readonly host: ApplicationHost;
  /** Whether the service stops. */
  isDraining(): boolean;
  /** The content of `/build`. */
  readonly build: Readonly<Record<string, unknown>>;
  /** Of the server, in addition to those of the application. */
  readonly measurements: readonly Measurement[];
  /** The processes that serve the requests, if this one does not. */
  readonly workers?: ObservedWorkers;
}

/** The workers of a primary. */
export interface ObservedWorkers {
  /** How many accept connections. */
  readonly readyCount: number;
  /** Their metrics, together with those of this process. */
  readonly metrics: WorkerMetrics;
  /** Updates the metrics. */
  measure(): Promise<void>;
}

/** Longer requests are not for this port. */
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;
/** How long a configuration store that is out of reach delays metrics: the revision read before is used then. */
const REVISION_TIMEOUT_MS = 2_000;

/**
 * `/live`, `/ready`, `/metrics` and `/build` on a port of their own, which is not reachable by the clients of the APIs,
 * and which the limits of their port do not apply to.
 */
export class OperationsPort {
  readonly #http: HttpServer;
  readonly #service: ObservedService;
  readonly #sources: MetricSources;
  #revision = 0;

  private constructor(service: ObservedService) {
    const { host } = service;
    this.#service = service;
    this.#sources = {
      host,
      requests: host.current.sharedState.getOrCreate(RequestMetrics, () => new RequestMetrics()),
      process: new ProcessMetrics(),
      reader: new MeasurementReader(() => host.current.log),
      measurements: service.measurements,
      revision: () => this.#revision,
      workers: service.workers?.metrics,
    };
    this.#http = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
      this.#respond(request, response).catch((error: unknown) => this.#fail(error, response));
    });
    this.#http.maxConnections = MAX_CONNECTIONS;
    // The process lives as long as its APIs.
    this.#http.unref();
  }

  /**
   * Opens the port.
   * @returns undefined if the address cannot be used, which is logged: the APIs are served without it
   */
  static async open(
    { host, port }: ListenAddress,
    service: ObservedService,
  ): Promise<OperationsPort | undefined> {
    const opened = new OperationsPort(service);
    try {
      await opened.#listen(host, port);
      return opened;
    } catch (error) {
      await opened.close();
      const code = systemErrorCode(error);
      if (code === '') throw error;
      service.host.current.warnings.push(
        `The operations port ${host}:${port} cannot be opened (${code}); /live, /ready and /metrics are not served. Set OPERATIONS_LISTEN or platform-operations.listen to a free address, or to "off".`,
      );
      return undefined;
    }
  }

  /** The URL without a path. */
  get origin(): string {
    // A server that listens on a port has an AddressInfo.
    const { address, family, port } = this.#http.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async close(): Promise<void> {
    this.#sources.process.close();
    await new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
      this.#http.closeAllConnections();
    });
  }

  #listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, () => {
        this.#http.removeListener('error', reject);
        this.#http.on('error', (err) =>
          this.#service.host.current.log.error({ module: 'operations', err }, 'The operations port failed.'),
        );
        resolve();
      });
    });
  }

  async #readRevision(): Promise<void> {
    try {
      this.#revision = await this.#service.host.repository.latestRevision();
    } catch {
      // An unreadable folder is reported where revisions are shown.
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const { path } = splitTarget(url);
    if (method !== 'GET' && method !== 'HEAD') {
      sendProblem(response, problem('method_not_allowed', { method, allow: 'GET, HEAD' }), [
        ['Allow', 'GET, HEAD'],
      ]);
      return;
    }
    switch (path) {
      case '/':
        sendJson(response, 200, { live: '/live', ready: '/ready', metrics: '/metrics', build: '/build' });
        return;
      case '/live':
        sendJson(response, 200, { status: 'live' });
        return;
      case '/ready': {
        const { host } = this.#service;
        const { status, body } = readinessOf(
          this.#service.isDraining(),
          host.current.dependencies,
          this.#service.workers,
        );
        sendJson(response, status, body);
        return;
      }
      case '/build':
        sendJson(response, 200, this.#service.build);
        return;
      case '/metrics':
        // Another process, or a change that activates nothing, may have written a revision.
        if (method !== 'HEAD')
          await Promise.all([
            this.#service.workers?.measure(),
            Promise.race([this.#readRevision(), delay(REVISION_TIMEOUT_MS, undefined, { ref: false })]),
          ]);
        response.writeHead(200, [...COMMON, ['Content-Type', METRICS_TYPE]].flat());
        if (method === 'HEAD') response.end();
        else await pipeline(Readable.from(metricsText(this.#sources)), response);
        return;
      default:
        sendProblem(response, problem('route_not_found', { path }), []);
    }
  }

  #fail(err: unknown, response: ServerResponse): void {
    // A client that disconnects is not a failure.
    if (systemErrorCode(err) === 'ERR_STREAM_PREMATURE_CLOSE') return;
    this.#service.host.current.log.error(
      { module: 'operations', err },
      'A request to the operations port failed.',
    );
    response.destroy();
  }
}

const COMMON: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
];

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  type = 'application/json',
  fields: readonly (readonly [string, string])[] = [],
): void {
  const text = `${JSON.stringify(body)}\n`;
  const all = [
    ...COMMON,
    ...fields,
    ['Content-Type', type],
    ['Content-Length', String(Buffer.byteLength(text))],
  ];
  // Node sends no body in response to HEAD.
  response.writeHead(status, all.flat()).end(text);
}

function sendProblem(
  response: ServerResponse,
  refusal: Problem,
  fields: readonly (readonly [string, string])[],
): void {
  sendJson(response, refusal.status, refusal, 'application/problem+json', fields);
}
