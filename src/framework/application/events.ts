import { Event } from '../events/event';
import type { RequestEvents } from '../mvc/kernel';
import type { MvcEvent } from '../mvc/mvc-event';
import type { RequestFailure } from '../mvc/request-failure';
import type { Application } from './application';

/** An event of an application. */
export class ApplicationEvent extends Event {
  readonly application: Application;

  constructor(application: Application) {
    super();
    this.application = application;
  }
}

/** The application is being built: services are bound, nothing is served yet. */
export class BootstrapEvent extends ApplicationEvent {}

/**
 * Events of modules outside of this package, which declare them by declaration merging.
 *
 * @example
 * declare module 'apidesc-platform' {
 *   interface ModuleEvents { sold: SoldEvent }
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules add its members by declaration merging, which only interfaces have
export interface ModuleEvents {}

/** Every event on an application's event manager. */
export interface ApplicationEvents extends RequestEvents, ModuleEvents {
  bootstrap: BootstrapEvent;
  /** The application has replaced another one, which may still have requests in flight. */
  reload: ApplicationEvent;
  /** The application is disposed of, also after a failed build. */
  shutdown: ApplicationEvent;
}

/** The notifications of observers. Modules add their own by declaration merging, as the admin does with `changed`. */
export interface Observations {
  /** The response was sent, or the client disconnected. */
  completed: MvcEvent;
  /** The response is a 5xx, or was aborted. Notified immediately, before the response is sent. */
  failed: RequestFailure;
  /** The configuration was reloaded by a signal, or could not be. */
  reloaded: ReloadOutcome;
}

/** The outcome of a reload by a signal. */
export interface ReloadOutcome {
  /** Why the previous configuration stays active; undefined after a success. */
  readonly error?: unknown;
}
