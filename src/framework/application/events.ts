import { Event } from '../events/event';
import type { RequestEvents } from '../mvc/kernel';
import type { MvcEvent } from '../mvc/mvc-event';
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

/** What observers are told. */
export interface Observations {
  /** A request was answered, or its client left. */
  completed: MvcEvent;
}
