import { StartError } from '../config/start-error';
import type { Configuration } from '../config/configuration';
import { Services } from '../container/services';
import { Attribution, FRAMEWORK } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { Observers } from '../events/observers';
import { ERROR_TEMPLATE, FrameworkListeners } from '../mvc/framework-listeners';
import type { Log } from '../mvc/log';
import { RepresentationListener } from '../mvc/representation-listener';
import type { RouteTarget } from '../mvc/mvc-event';
import { Router } from '../routing/router';
import { JsonModel } from '../view/json-model';
import { JsonRenderer, JsonStrategy } from '../view/json-strategy';
import { NunjucksRenderer, NunjucksStrategy } from '../view/nunjucks-strategy';
import { TemplateMap } from '../view/template-map';
import { View } from '../view/view';
import { ViewModel } from '../view/view-model';
import { Application } from './application';
import { BootstrapEvent, type ApplicationEvents, type Observations } from './events';
import { Lasting } from './lasting';
import type { Module } from './module';
import { registerStrategy, registerStrategyAtRender } from './register-strategy';
import { serverSettings, viewSettings } from './settings';

/** What an application is built from. */
export interface Ingredients {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  readonly lasting: Lasting;
  readonly log: Log;
}

/**
 * Builds an application: binds services, attaches the framework's listeners and lets the modules bootstrap.
 * @throws StartError for everything an operator can mend; what was opened until then is closed by the listeners
 *   of `shutdown`
 */
export async function buildApplication({
  configuration,
  modules,
  lasting,
  log,
}: Ingredients): Promise<Application> {
  const { base_url } = configuration.section('server', serverSettings);
  const settings = configuration.section('view_manager', viewSettings);
  const templates = new TemplateMap(settings.template_map, configuration.root, (name) =>
    configuration.sourceOf(['view_manager', 'template_map', name]),
  );
  const attribution = new Attribution();
  const failed = (err: unknown, name: string): void => log.error({ err, name }, 'An observer failed.');
  const application = new Application({
    configuration,
    modules,
    lasting,
    log,
    templates,
    services: new Services(),
    events: new EventManager<ApplicationEvents>(attribution),
    observers: new Observers<Observations>(failed, attribution),
    router: new Router<RouteTarget>(base_url),
    view: new View(attribution),
  });
  application.warnings.push(...configuration.warnings);
  try {
    await bindServices(application);
    attachFramework(application, settings.display_exceptions);
    await bootstrapModules(application);
    await attachStrategies(application, settings.strategies, settings.render_strategies);
    return application;
  } catch (error) {
    await application.dispose();
    throw error;
  }
}

async function bootstrapModules(application: Application): Promise<void> {
  const { events, modules } = application;
  for (const module of modules) {
    if (module.onBootstrap !== undefined) {
      // Whatever it attaches meanwhile is the module's.
      events.attach('bootstrap', (event) =>
        events.attribution.as({ owner: module.name }, () => bootstrap(module, event)),
      );
    }
  }
  await application.events.trigger('bootstrap', new BootstrapEvent(application));
}

/** @throws StartError that names the module, whatever it threw */
async function bootstrap(module: Module, event: BootstrapEvent): Promise<void> {
  try {
    await module.onBootstrap?.(event);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new StartError(`The module "${module.name}" failed to start: ${reason}`, { cause: error });
  }
}

async function bindServices({ services, modules, templates, view, lasting }: Application): Promise<void> {
  services.set(Lasting, lasting);
  services.set('ViewModel', ViewModel);
  services.set(JsonRenderer, new JsonRenderer());
  services.set(NunjucksRenderer, new NunjucksRenderer(templates, view.helpers));
  for (const module of modules) {
    if (module.services !== undefined) await services.load(module.name, module.services);
  }
  // The module that negotiates content brings a JsonModel of its own.
  if (!services.has('JsonModel')) services.set('JsonModel', JsonModel);
}

function attachFramework({ events, router, view, templates }: Application, showExceptions: boolean): void {
  const hasErrorPage = templates.has(ERROR_TEMPLATE);
  events.attachGroup(new FrameworkListeners(router, view, { hasErrorPage, showExceptions }));
  events.attachGroup(new RepresentationListener());
  view.events.attachGroup(new JsonStrategy(new JsonRenderer()), JsonStrategy.PRIORITY);
  view.events.attachGroup(
    new NunjucksStrategy(new NunjucksRenderer(templates, view.helpers)),
    NunjucksStrategy.PRIORITY,
  );
}

/** The strategies that configuration names: some from the start, the others when something is rendered. */
async function attachStrategies(
  application: Application,
  atStart: readonly string[],
  atRender: readonly string[],
): Promise<void> {
  const { configuration, events, services } = application;
  const register = async (
    key: string,
    names: readonly string[],
    action: (name: string, where: string) => void | Promise<void>,
  ): Promise<void> => {
    for (const [at, name] of names.entries()) {
      const source = configuration.sourceOf(['view_manager', key, at]);
      const owner = services.ownerOf(name) ?? FRAMEWORK;
      await events.attribution.as({ owner, source }, () =>
        action(name, `${source}: view_manager.${key}[${at}]`),
      );
    }
  };
  await register('strategies', atStart, (name, where) => registerStrategy(application, name, where));
  await register('render_strategies', atRender, (name, where) =>
    registerStrategyAtRender(application, name, where),
  );
}
