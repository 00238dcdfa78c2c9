import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration } from '../config/configuration';
import type { Services } from '../container/services';
import type { EventManager } from '../events/event-manager';
import { isThenable } from '../events/maybe-promise';
import type { Observers } from '../events/observers';
import { Request } from '../http/request';
import { RequestIds } from '../http/request-id';
import { Kernel } from '../mvc/kernel';
import { KeptAnswers, repeatOn } from '../mvc/kept-answers';
import type { Log } from '../mvc/log';
import { MvcEvent, type RouteTarget } from '../mvc/mvc-event';
import type { Router } from '../routing/router';
import type { TemplateMap } from '../view/template-map';
import type { View } from '../view/view';
import { ApplicationEvent, type ApplicationEvents, type Observations } from './events';
import type { Lasting } from './lasting';
import type { Module } from './module';

/** What an application is made of. */
export interface ApplicationParts {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  readonly services: Services;
  readonly events: EventManager<ApplicationEvents>;
  readonly observers: Observers<Observations>;
  readonly router: Router<RouteTarget>;
  readonly view: View;
  readonly templates: TemplateMap;
  readonly lasting: Lasting;
  readonly log: Log;
}

/** A page that an operator should open. */
export interface Notice {
  /** In a word or two, e.g. `Admin`. */
  readonly label: string;
  /** Path and query, the base path included. */
  readonly target: string;
}

/**
 * A service as its configuration describes it, immutable once built: a change of configuration builds another
 * one beside it. It knows its requests in flight, so that it can be put away when the last is answered.
 */
export class Application implements ApplicationParts {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  readonly services: Services;
  readonly events: EventManager<ApplicationEvents>;
  readonly observers: Observers<Observations>;
  readonly router: Router<RouteTarget>;
  readonly view: View;
  readonly templates: TemplateMap;
  readonly lasting: Lasting;
  readonly log: Log;
  /** What an operator should know, though the service runs. */
  readonly warnings: string[] = [];
  /** What the console shows an operator when the service starts, beside the addresses of its APIs. */
  readonly notices: Notice[] = [];
  /** Makes what is made when it is first needed; for who wants to know before whether that can be. */
  readonly deferred: (() => Promise<unknown>)[] = [];
  readonly #kernel: Kernel;
  readonly #answers: KeptAnswers;
  readonly #ids = new RequestIds();
  #inFlight = 0;
  #idle: (() => void) | undefined;
  #gone: Promise<void> | undefined;

  constructor(parts: ApplicationParts) {
    this.configuration = parts.configuration;
    this.modules = parts.modules;
    this.services = parts.services;
    this.events = parts.events;
    this.observers = parts.observers;
    this.router = parts.router;
    this.view = parts.view;
    this.templates = parts.templates;
    this.lasting = parts.lasting;
    this.log = parts.log;
    this.#kernel = new Kernel(parts.events, parts.log);
    this.#answers = new KeptAnswers(parts.events, parts.view.events);
  }

  /** The path before every route; empty for none. */
  get baseUrl(): string {
    return this.router.base;
  }

  /** Answers a request. It never throws: what goes wrong becomes an answer, or the end of the connection. */
  handle(message: IncomingMessage, outgoing: ServerResponse): void {
    const kept = this.#answers.find(message);
    if (kept !== undefined && kept.idAt < 0 && !this.observers.isHeard('completed')) {
      // Nothing of the application is needed for it any more.
      kept.response.send(outgoing, kept.method);
      return;
    }
    const event = new MvcEvent(new Request(message, outgoing, this.#ids), outgoing, this.log);
    if (kept !== undefined) {
      repeatOn(event, kept);
      this.#begin(event);
      event.response.send(outgoing, kept.method);
      return;
    }
    this.#begin(event);
    const { revision } = this.#answers;
    const handled = this.#kernel.handle(event);
    if (!isThenable(handled)) this.#answers.keep(event, revision);
    else {
      handled.then(
        () => this.#answers.keep(event, revision),
        (error: unknown) => this.#broken(error, outgoing),
      );
    }
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
  #broken(error: unknown, outgoing: ServerResponse): void {
    this.log.error({ err: error }, 'A request broke the kernel.');
    outgoing.destroy();
  }

  /**
   * Waits for the requests in flight, then lets the modules put their things away. Whatever fails meanwhile is
   * logged: nobody could do anything about it.
   */
  dispose(): Promise<void> {
    this.#gone ??= this.#putAway();
    return this.#gone;
  }

  async #putAway(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    this.view.abandonRenderings();
    const failed = (err: unknown): void =>
      this.log.error({ err }, 'Something of an application could not be put away.');
    await this.events.triggerEach('shutdown', new ApplicationEvent(this), failed);
    await this.services.dispose().catch(failed);
  }
}
