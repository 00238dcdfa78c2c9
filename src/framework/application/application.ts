import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration } from '../config/configuration';
import type { Services } from '../container/services';
import type { EventManager } from '../events/event-manager';
import { isThenable, type MaybePromise } from '../events/maybe-promise';
import type { Observers } from '../events/observers';
import { BodyBudget, BodyMemory } from '../http/limits/body-budget';
import type { ConnectionLimits } from '../http/limits/connection-limits';
import { Refusals } from '../http/limits/refusals';
import { Request, type RequestEnvironment } from '../http/request';
import { RequestIds } from '../http/request-id';
import { splitTarget } from '../http/target';
import { whenClosed } from '../http/when-closed';
import { Kernel } from '../mvc/kernel';
import {
  requestEnd,
  requestStart,
  type RequestEndMessage,
  type RequestStartMessage,
} from '../mvc/request-channels';
import { RequestWrappers, type RequestWrapper } from '../mvc/request-wrappers';
import type { Log } from '../logging/log';
import { ModuleLog } from '../logging/log-levels';
import { MvcEvent, type RouteTarget } from '../mvc/mvc-event';
import type { TlsMaterial } from '../http/tls/tls-files';
import { RemovedPrefix } from '../http/proxies/removed-prefix';
import type { Router } from '../routing/router';
import { hasPathPrefix } from '../text/path-prefix';
import type { TemplateMap } from '../view/templates/template-map';
import type { View } from '../view/view';
import type { ApplicationParts, DeferredService, Notice } from './application-parts';
import { ApplicationUse } from './application-use';
import { clientAddresses, connectionLimits, connectionWarnings, unlessZero } from './connection-settings';
import { ApplicationEvent, type ApplicationEvents, type Observations } from './events';
import { refusalMeasurement, type Dependency, type Measurement } from './monitoring';
import { Lifecycles, type LifecyclePart } from './background/lifecycles';
import type { SharedState } from './shared-state';
import type { Module } from './modules/module';
import { publicUrlOf } from './public-url';
import { serverSettings } from './settings';
import { tlsOf, tlsWarnings } from './tls-material';

/**
 * An application, immutable once it is built: configuration changes build a new one. It counts its requests in
 * flight, so that it can be disposed of after the last response.
 */
export class Application implements ApplicationParts {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  readonly builtIn: readonly string[];
  readonly services: Services;
  readonly events: EventManager<ApplicationEvents>;
  readonly observers: Observers<Observations>;
  readonly router: Router<RouteTarget>;
  readonly view: View;
  readonly templates: TemplateMap;
  readonly sharedState: SharedState;
  readonly log: Log;
  /** Warnings for operators. */
  readonly warnings: string[] = [];
  /** Those about the certificate, as it was when the application was built: see `ActiveCertificate`. */
  readonly certificateWarnings: string[] = [];
  /** Links that are printed at startup, in addition to those of the APIs. */
  readonly notices: Notice[] = [];
  /** Services that are created on first use; checks can create them earlier. */
  readonly deferred: DeferredService[] = [];
  /** What only some requests need; reported by `/ready`. */
  readonly dependencies: Dependency[] = [];
  /** Reported by `/metrics`. */
  readonly measurements: Measurement[] = [];
  /** What is started when the application becomes active, and stopped when it is retired. */
  readonly lifecycles: LifecyclePart[] = [];
  readonly #wrappers: RequestWrappers;
  /** Paths that are served even when others are refused because of overload, with all paths below them. */
  readonly essentialPaths: string[] = [];
  /** The limits of connections and requests. */
  readonly limits: ConnectionLimits;
  /** The certificate for HTTPS; undefined for HTTP. */
  readonly tls: TlsMaterial | undefined;
  /** What the server refused. */
  readonly refusals: Refusals;
  readonly #requests: RequestEnvironment;
  readonly #removedPrefix: RemovedPrefix | undefined;
  readonly #use = new ApplicationUse();
  #started: Promise<void> | undefined;
  #disposal: Promise<void> | undefined;

  constructor(parts: ApplicationParts) {
    this.configuration = parts.configuration;
    this.modules = parts.modules;
    this.builtIn = parts.builtIn;
    this.services = parts.services;
    this.events = parts.events;
    this.observers = parts.observers;
    this.router = parts.router;
    this.view = parts.view;
    this.templates = parts.templates;
    this.sharedState = parts.sharedState;
    this.log = parts.log;
    const { max_body_memory: bodyMemory, forwarding_fields: fields = [] } = parts.configuration.section(
      'server',
      serverSettings,
    );
    const addresses = clientAddresses(parts.configuration);
    this.limits = connectionLimits(parts.configuration, addresses);
    this.tls = tlsOf(parts.configuration);
    this.certificateWarnings.push(...tlsWarnings(this.tls));
    this.warnings.push(...connectionWarnings(this.limits), ...this.certificateWarnings);
    this.refusals = parts.sharedState.getOrCreate(Refusals, () => new Refusals());
    this.measurements.push(refusalMeasurement(this.refusals));
    const memory = parts.sharedState.getOrCreate(BodyMemory, () => new BodyMemory());
    this.#requests = {
      ids: new RequestIds(),
      bodies: new BodyBudget(unlessZero(bodyMemory), memory),
      addresses,
      maxTrailerFields: this.limits.maxHeaderFields,
    };
    this.#removedPrefix = RemovedPrefix.from(
      {
        publicPath: publicUrlOf(parts.configuration).path,
        base: parts.router.base,
        isForwarded: fields.includes('x-forwarded-prefix'),
        specificity: (path) => parts.router.specificity(path),
      },
      addresses,
    );
    const kernel = new Kernel(parts.events, (failure) => parts.observers.notify('failed', failure));
    this.#wrappers = new RequestWrappers((event) => kernel.handle(event));
  }

  /** The path prefix of every route; may be empty. */
  get baseUrl(): string {
    return this.router.base;
  }

  /** Returns the target that the client sent, with the path prefix that a proxy removed. */
  targetOf(message: IncomingMessage): string {
    return this.#removedPrefix?.restore(message) ?? message.url ?? '/';
  }

  /** Returns the log of a module: its lines have the name, and the level that `log.levels` sets. */
  logOf(module: string): Log {
    return new ModuleLog(this.log, module);
  }

  /** The number of requests without a complete response. */
  get inFlight(): number {
    return this.#use.requests;
  }

  /** Whether the path of a request is essential, with the path prefix that a proxy removed. */
  isEssential(message: IncomingMessage): boolean {
    const { path } = splitTarget(this.targetOf(message));
    return this.essentialPaths.some((one) => hasPathPrefix(path, one));
  }

  /** Handles a request. Never throws or rejects: errors become responses, or close the connection. */
  handle(message: IncomingMessage, outgoing: ServerResponse): MaybePromise<void> {
    if (this.#removedPrefix !== undefined) message.url = this.targetOf(message);
    const event = new MvcEvent(new Request(message, outgoing, this.#requests), outgoing, this.log);
    this.#begin(event);
    try {
      const handled = this.#wrappers.handle(event);
      if (!isThenable(handled)) return undefined;
      return handled.then(undefined, (error: unknown) => this.#onKernelError(error, outgoing));
    } catch (error) {
      this.#onKernelError(error, outgoing);
      return undefined;
    }
  }

  /**
   * Handles further requests with a wrapper around the kernel, such as one that runs them in a context. Every request
   * pays for it; without wrappers, none does.
   * @returns a function that removes it
   */
  wrapRequests(wrapper: RequestWrapper): () => void {
    return this.#wrappers.add(wrapper);
  }

  /** Counts the request until its response is complete or its client disconnects. */
  #begin(event: MvcEvent): void {
    this.#use.beginRequest();
    if (requestStart.hasSubscribers) requestStart.publish({ event } satisfies RequestStartMessage);
    whenClosed(event.outgoing, event, this.#onClosed);
  }

  readonly #onClosed = (event: MvcEvent): void => {
    this.#use.endRequest();
    this.observers.notify('completed', event);
    if (requestEnd.hasSubscribers) {
      const duration = performance.now() - event.startedAt;
      requestEnd.publish({ event, duration } satisfies RequestEndMessage);
    }
  };

  /**
   * Keeps the application from being disposed of, such as for work that uses its services.
   * @returns a function that ends it; further calls have no effect
   */
  hold(): () => void {
    return this.#use.hold();
  }

  /** Calls `onStart` of its parts, once. Never rejects: errors are logged. */
  start(): Promise<void> {
    this.#started ??= this.#lifecycles.start(this.lifecycles, this.log);
    return this.#started;
  }

  get #lifecycles(): Lifecycles {
    return this.sharedState.getOrCreate(Lifecycles, () => new Lifecycles());
  }

  /** A safety net for the code of wrappers: the kernel handles all known errors itself. */
  #onKernelError(error: unknown, outgoing: ServerResponse): void {
    this.log.error({ err: error }, 'Unhandled error of the kernel.');
    outgoing.destroy();
  }

  /**
   * Waits for the requests in flight and background work, calls `onStop` of its parts, then triggers `shutdown` and
   * disposes of the services. Errors are logged, as no caller could handle them.
   */
  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  async #dispose(): Promise<void> {
    await this.#use.end();
    this.view.cancelRendering();
    const onError = (err: unknown): void => this.log.error({ err }, 'Disposing of an application failed.');
    if (this.#started !== undefined) {
      await this.#started;
      await this.#lifecycles.stop(this.lifecycles, this.log);
    }
    await this.events.triggerEach('shutdown', new ApplicationEvent(this), onError);
    await this.services.dispose(onError);
  }
}
