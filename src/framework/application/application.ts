import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration } from '../config/configuration';
import type { Services } from '../container/services';
import type { EventManager } from '../events/event-manager';
import { isThenable } from '../events/maybe-promise';
import type { Observers } from '../events/observers';
import { BodyBudget, BodyMemory } from '../http/limits/body-budget';
import type { ConnectionLimits } from '../http/limits/connection-limits';
import { Request, type RequestEnvironment } from '../http/request';
import { RequestIds } from '../http/request-id';
import { Kernel } from '../mvc/kernel';
import type { Log } from '../logging/log';
import { MvcEvent, type RouteTarget } from '../mvc/mvc-event';
import type { Router } from '../routing/router';
import type { TemplateMap } from '../view/templates/template-map';
import type { View } from '../view/view';
import { clientAddresses, connectionLimits, connectionWarnings, unlessZero } from './connection-settings';
import { ApplicationEvent, type ApplicationEvents, type Observations } from './events';
import type { SharedState } from './shared-state';
import type { Module } from './modules/module';
import { serverSettings } from './settings';

/** What an application is made of. */
export interface ApplicationParts {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  /** The names of the modules that come with the platform. */
  readonly builtIn: readonly string[];
  readonly services: Services;
  readonly events: EventManager<ApplicationEvents>;
  readonly observers: Observers<Observations>;
  readonly router: Router<RouteTarget>;
  readonly view: View;
  readonly templates: TemplateMap;
  readonly sharedState: SharedState;
  readonly log: Log;
}

/** A page that an operator should open. */
export interface Notice {
  /** In a word or two, e.g. `Admin`. */
  readonly label: string;
  /** Path and query, the base path included. */
  readonly target: string;
}

/** Something that is made when it is first needed. */
export interface DeferredService {
  /** The module that asked for it. */
  readonly owner: string;
  /** @throws ConfigurationError when it cannot be made */
  readonly make: () => Promise<unknown>;
}

/**
 * A service as its configuration describes it, immutable once built: a change of configuration builds another
 * one beside it. It knows its requests in flight, so that it can be put away when the last is answered.
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
  /** What an operator should know, though the service runs. */
  readonly warnings: string[] = [];
  /** What the console shows an operator when the service starts, beside the addresses of its APIs. */
  readonly notices: Notice[] = [];
  /** Makes what is made when it is first needed; for who wants to know before whether that can be. */
  readonly deferred: DeferredService[] = [];
  readonly #kernel: Kernel;
  /** What the server holds connections to. */
  readonly limits: ConnectionLimits;
  readonly #requests: RequestEnvironment;
  #inFlight = 0;
  #idle: (() => void) | undefined;
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
    const { max_body_memory: bodyMemory } = parts.configuration.section('server', serverSettings);
    const addresses = clientAddresses(parts.configuration);
    this.limits = connectionLimits(parts.configuration, addresses);
    this.warnings.push(...connectionWarnings(this.limits));
    const memory = parts.sharedState.getOrCreate(BodyMemory, () => new BodyMemory());
    this.#requests = {
      ids: new RequestIds(),
      bodies: new BodyBudget(unlessZero(bodyMemory), memory),
      addresses,
    };
    this.#kernel = new Kernel(parts.events, (failure) => parts.observers.notify('failed', failure));
  }

  /** The path before every route; empty for none. */
  get baseUrl(): string {
    return this.router.base;
  }

  /** Answers a request. It never throws: what goes wrong becomes an answer, or the end of the connection. */
  handle(message: IncomingMessage, outgoing: ServerResponse): void {
    const event = new MvcEvent(new Request(message, outgoing, this.#requests), outgoing, this.log);
    this.#begin(event);
    const handled = this.#kernel.handle(event);
    if (isThenable(handled))
      handled.then(undefined, (error: unknown) => this.#onKernelError(error, outgoing));
  }

  /** The request counts until its answer is complete, or its client gone. */
  #begin(event: MvcEvent): void {
    this.#inFlight++;
    // Once: what is left on an answer, which an idle connection keeps, would keep an application that was swapped.
    event.outgoing.once('close', () => {
      this.#inFlight--;
      this.observers.notify('completed', event);
      if (this.#inFlight === 0) this.#idle?.();
    });
  }

  /** The kernel recovers from everything it knows of; this is for what it does not. */
  #onKernelError(error: unknown, outgoing: ServerResponse): void {
    this.log.error({ err: error }, 'Unhandled error of the kernel.');
    outgoing.destroy();
  }

  /**
   * Waits for the requests in flight, then lets the modules put their things away. Whatever fails meanwhile is
   * logged: nobody could do anything about it.
   */
  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  async #dispose(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    this.view.cancelRendering();
    const failed = (err: unknown): void =>
      this.log.error({ err }, 'An application could not be disposed completely.');
    await this.events.triggerEach('shutdown', new ApplicationEvent(this), failed);
    await this.services.dispose().catch(failed);
  }
}
