import type { Configuration } from '../config/configuration';
import type { Services } from '../container/services';
import type { EventManager } from '../events/event-manager';
import type { Observers } from '../events/observers';
import type { Log } from '../logging/log';
import type { RouteTarget } from '../mvc/mvc-event';
import type { Router } from '../routing/router';
import type { TemplateMap } from '../view/templates/template-map';
import type { View } from '../view/view';
import type { ApplicationEvents, Observations } from './events';
import type { Module } from './modules/module';
import type { SharedState } from './shared-state';

/** The parts of an application. */
export interface ApplicationParts {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  /** The names of the built-in modules. */
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

/** A link that is printed at startup. */
export interface Notice {
  /** A short label, e.g. `Admin`. */
  readonly label: string;
  /** Path and query, including the base path, or an absolute URL. */
  readonly target: string;
}

/** A service that is created on first use. */
export interface DeferredService {
  /** The module that registered it. */
  readonly owner: string;
  /** @throws ConfigurationError if it cannot be created */
  readonly make: () => Promise<unknown>;
}
