import type { Configuration } from '../config/configuration';
import { Services } from '../container/services';
import { Attribution, FRAMEWORK } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { lateListeners, misspelledEvents, unknownEvents } from '../events/uncalled-listeners';
import { Observers } from '../events/observers';
import { ERROR_TEMPLATE, FrameworkListeners } from '../mvc/framework-listeners';
import type { Log } from '../logging/log';
import { FRAMEWORK_LOG, LeveledLog, type LevelSettings } from '../logging/log-levels';
import { failureLogger } from '../mvc/request-failure';
import { EncodedContentListener } from '../mvc/encoded-content-listener';
import { applicationEvents, authenticationEvents, errorEvents, requestEvents } from '../mvc/lifecycle';
import type { RouteTarget } from '../mvc/mvc-event';
import { Router } from '../routing/router';
import { JsonModel } from '../view/json/json-model';
import { JsonRenderer, JsonStrategy } from '../view/json/json-strategy';
import { NunjucksRenderer, NunjucksStrategy } from '../view/templates/nunjucks-strategy';
import { TemplateMap } from '../view/templates/template-map';
import { RenderingCounts } from '../view/encoded-content-cache';
import { View } from '../view/view';
import { ViewModel } from '../view/view-model';
import { lazily } from '../values/lazily';
import { Application } from './application';
import { assertTemplates } from './assert-templates';
import { BackgroundWork } from './background/background-work';
import { errorsUrlOf } from './errors-url';
import { BootstrapEvent, type ApplicationEvents, type Observations } from './events';
import { SharedState } from './shared-state';
import { bindModules, withModule } from './modules/bind-modules';
import type { Module } from './modules/module';
import { deprecatedMembers } from './modules/module-members';
import { publicUrlOf } from './public-url';
import { registerStrategy, registerStrategyAtRender } from './register-strategy';
import { logSettings, serverSettings, viewSettings } from './settings';

const KNOWN_OBSERVATIONS = ['completed', 'failed', 'reloaded', 'changed'];
const VIEW_EVENTS = ['renderer', 'response'];
const KNOWN_EVENTS = [...requestEvents, ...errorEvents, ...authenticationEvents, ...applicationEvents];

/** What an application is built from. */
export interface ApplicationOptions {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  readonly sharedState: SharedState;
  readonly log: Log;
  /** The names of built-in modules: their deferred services are checked by tests, not at startup. */
  readonly builtIn?: readonly string[];
}

/**
 * Builds an application: binds services, attaches the framework's listeners and bootstraps the modules.
 * @throws ConfigurationError for everything an operator can fix; `shutdown` listeners release the resources of a
 * failed
 *   build
 */
export async function buildApplication({
  configuration,
  modules,
  sharedState,
  log: base,
  builtIn = [],
}: ApplicationOptions): Promise<Application> {
  const levels = configuration.section('log', logSettings);
  const log = new LeveledLog(base, levels);
  const { base_url } = configuration.section('server', serverSettings);
  const settings = configuration.section('view_manager', viewSettings);
  const templates = new TemplateMap(settings.template_map, configuration.root, (name) =>
    configuration.sourceOf(['view_manager', 'template_map', name]),
  );
  const templateWarnings = assertTemplates(templates, configuration);
  const attribution = new Attribution();
  const onObserverError = (err: unknown, name: string): void =>
    log.error({ err, name }, 'An observer failed.');
  const application = new Application({
    configuration,
    modules,
    builtIn,
    sharedState,
    log,
    templates,
    services: new Services(configuration.root),
    events: new EventManager<ApplicationEvents>(attribution),
    observers: new Observers<Observations>(onObserverError, attribution),
    router: new Router<RouteTarget>(publicUrlOf(configuration).path + base_url),
    view: new View(
      attribution,
      sharedState.getOrCreate(RenderingCounts, () => new RenderingCounts()),
    ),
  });
  application.warnings.push(
    ...configuration.warnings,
    ...templateWarnings,
    ...deprecatedMembers(modules),
    ...levelWarnings(modules, levels),
  );
  try {
    await bindServices(application);
    attachFramework(application, settings.display_exceptions);
    await bootstrapModules(application);
    await attachStrategies(application, settings.strategies, settings.render_strategies);
    await assertDeferred(application);
    const { events, observers, view } = application;
    application.warnings.push(
      ...misspelledEvents(events.describe(KNOWN_EVENTS), KNOWN_EVENTS),
      ...lateListeners(events.describe(KNOWN_EVENTS.filter((name) => name !== 'bootstrap')), 'bootstrap'),
      ...misspelledEvents(observers.describe(KNOWN_OBSERVATIONS), KNOWN_OBSERVATIONS),
      ...unknownEvents(view.events.describe(VIEW_EVENTS), VIEW_EVENTS),
    );
    attribution.endBuild();
    return application;
  } catch (error) {
    await application.dispose();
    throw error;
  }
}

/** Warns about levels of modules that are not loaded: a reload may only have removed the module. */
function levelWarnings(modules: readonly Module[], { levels }: LevelSettings): readonly string[] {
  const names = [FRAMEWORK_LOG, ...modules.map(({ name }) => name)];
  return Object.keys(levels)
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        `log.levels: the module "${name}" is not loaded, so that its level has no effect. Available: ${names.join(', ')}.`,
    );
}

async function bootstrapModules(application: Application): Promise<void> {
  const { events, modules } = application;
  for (const module of modules) {
    if (module.onBootstrap !== undefined) {
      // Attributes the listeners that it attaches to the module.
      events.attach('bootstrap', (event) =>
        events.attribution.as({ owner: module.name }, () => bootstrap(module, event)),
      );
    }
  }
  await application.events.trigger('bootstrap', new BootstrapEvent(application));
}

function bootstrap(module: Module, event: BootstrapEvent): Promise<void> {
  return withModule(module, event.application.configuration, () => module.onBootstrap?.(event));
}

async function bindServices(application: Application): Promise<void> {
  const { services, modules, templates, view, sharedState, configuration } = application;
  services.set(Application, application);
  services.set(SharedState, sharedState);
  services.set(BackgroundWork, new BackgroundWork(application));
  services.set('ViewModel', ViewModel);
  services.set(JsonRenderer, new JsonRenderer());
  services.set(NunjucksRenderer, new NunjucksRenderer(templates, view.helpers));
  await bindModules(services, modules, configuration);
  // Content negotiation binds a JsonModel of its own.
  if (!services.has('JsonModel')) services.set('JsonModel', JsonModel);
}

function attachFramework(application: Application, showExceptions: boolean): void {
  const { events, observers, router, view, templates, log } = application;
  observers.observe('failed', failureLogger(log));
  const hasErrorPage = templates.has(ERROR_TEMPLATE);
  // A module adds the route later.
  const errorsUrl = lazily(() => errorsUrlOf(application));
  events.attachGroup(
    new FrameworkListeners(router, view, {
      hasErrorPage,
      showExceptions,
      errorsUrl,
      onFailure: (failure) => observers.notify('failed', failure),
    }),
  );
  events.attachGroup(new EncodedContentListener(errorsUrl));
  view.events.attachGroup(new JsonStrategy(new JsonRenderer()), JsonStrategy.PRIORITY);
  view.events.attachGroup(
    new NunjucksStrategy(new NunjucksRenderer(templates, view.helpers)),
    NunjucksStrategy.PRIORITY,
  );
}

/** Creates the deferred services of external modules. @throws ConfigurationError if one is invalid */
async function assertDeferred({ deferred, builtIn }: Application): Promise<void> {
  for (const { owner, make } of deferred) if (!builtIn.includes(owner)) await make();
}

/** Attaches the configured strategies: some now, the others at the first rendering. */
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
  await register('render_strategies', atRender, async (name, where) => {
    registerStrategyAtRender(application, name, where);
    // Creates it now, so that an invalid service is an error at startup, not at every request.
    await application.deferred.at(-1)?.make();
  });
}
