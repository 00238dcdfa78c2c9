import { Event } from '../events/event';
import type { RequestEvents } from '../mvc/kernel';
import type { MvcEvent } from '../mvc/mvc-event';
import type { RequestFailure } from '../mvc/request-failure';
import type { Application } from './application';

/** Something that happens to an application as a whole. */
export class ApplicationEvent extends Event {
  readonly application: Application;

  constructor(application: Application) {
    super();
    this.application = application;
  }
}

/** The application is being built: services are bound, nothing is served yet. */
export class BootstrapEvent extends ApplicationEvent {}

/** Every event on an application's event manager. */
export interface ApplicationEvents extends RequestEvents {
  bootstrap: BootstrapEvent;
  /** The application has taken the place of another, which may still answer its last requests. */
  reload: ApplicationEvent;
  /** The application is put away: also one whose build came to nothing. */
  shutdown: ApplicationEvent;
}

/** What observers are told. Modules add what they tell by declaration merging, as the admin does with `changed`. */
export interface Observations {
  /** A request was answered, or its client left. */
  completed: MvcEvent;
  /** A request is answered with a 5xx, or cut off; told at once, so that it is on record whatever happens then. */
  failed: RequestFailure;
}
