import { ConfigurationError } from '../errors/configuration-error';
import type { Configuration } from '../config/configuration';
import { Services } from '../container/services';
import { Attribution, FRAMEWORK } from '../events/attribution';
import { EventManager } from '../events/event-manager';
import { Observers } from '../events/observers';
import { ERROR_TEMPLATE, FrameworkListeners } from '../mvc/framework-listeners';
import type { Log } from '../logging/log';
import { failureLogger } from '../mvc/request-failure';
import { EncodedContentListener } from '../mvc/encoded-content-listener';
import { ERRORS_ROUTE } from '../mvc/lifecycle';
import type { RouteTarget } from '../mvc/mvc-event';
import { Router } from '../routing/router';
import { describeScriptError } from '../errors/describe-script-error';
import { JsonModel } from '../view/json/json-model';
import { JsonRenderer, JsonStrategy } from '../view/json/json-strategy';
import { NunjucksRenderer, NunjucksStrategy } from '../view/templates/nunjucks-strategy';
import { TemplateMap } from '../view/templates/template-map';
import { View } from '../view/view';
import { ViewModel } from '../view/view-model';
import { Application } from './application';
import { assertTemplates } from './assert-templates';
import { BootstrapEvent, type ApplicationEvents, type Observations } from './events';
import { SharedState } from './shared-state';
import type { Module } from './modules/module';
import { deprecatedMembers } from './modules/module-members';
import { registerStrategy, registerStrategyAtRender } from './register-strategy';
import { serverSettings, viewSettings } from './settings';

/** What an application is built from. */
export interface ApplicationOptions {
  readonly configuration: Configuration;
  readonly modules: readonly Module[];
  readonly sharedState: SharedState;
  readonly log: Log;
  /** The names of modules whose own tests say what is otherwise looked at when the application is built. */
  readonly builtIn?: readonly string[];
}

/**
 * Builds an application: binds services, attaches the framework's listeners and lets the modules bootstrap.
 * @throws ConfigurationError for everything an operator can mend; what was opened until then is closed by the listeners
 *   of `shutdown`
 */
export async function buildApplication({
  configuration,
  modules,
  sharedState,
  log,
  builtIn = [],
}: ApplicationOptions): Promise<Application> {
  const { base_url } = configuration.section('server', serverSettings);
  const settings = configuration.section('view_manager', viewSettings);
  const templates = new TemplateMap(settings.template_map, configuration.root, (name) =>
    configuration.sourceOf(['view_manager', 'template_map', name]),
  );
  assertTemplates(templates, configuration);
  const attribution = new Attribution();
  const failed = (err: unknown, name: string): void => log.error({ err, name }, 'An observer failed.');
  const application = new Application({
    configuration,
    modules,
    builtIn,
    sharedState,
    log,
    templates,
    services: new Services(configuration.root),
    events: new EventManager<ApplicationEvents>(attribution),
    observers: new Observers<Observations>(failed, attribution),
    router: new Router<RouteTarget>(base_url),
    view: new View(attribution),
  });
  application.warnings.push(...configuration.warnings, ...deprecatedMembers(modules));
  try {
    await bindServices(application);
    attachFramework(application, settings.display_exceptions);
    await bootstrapModules(application);
    await attachStrategies(application, settings.strategies, settings.render_strategies);
    await assertDeferred(application);
    attribution.endBuild();
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

/** @throws ConfigurationError that names the module, and the place in its code, whatever it threw */
async function bootstrap(module: Module, event: BootstrapEvent): Promise<void> {
  try {
    await module.onBootstrap?.(event);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const reason = await describeScriptError(error, { root: event.application.configuration.root });
    throw new ConfigurationError(`The module "${module.name}" failed to start: ${reason}`, { cause: error });
  }
}

async function bindServices({ services, modules, templates, view, sharedState }: Application): Promise<void> {
  services.set(SharedState, sharedState);
  services.set('ViewModel', ViewModel);
  services.set(JsonRenderer, new JsonRenderer());
  services.set(NunjucksRenderer, new NunjucksRenderer(templates, view.helpers));
  for (const module of modules) {
    if (module.services !== undefined) await services.load(module.name, module.services);
  }
  // The module that negotiates content brings a JsonModel of its own.
  if (!services.has('JsonModel')) services.set('JsonModel', JsonModel);
}

function attachFramework(
  { events, observers, router, view, templates, log, configuration }: Application,
  showExceptions: boolean,
): void {
  const { public_url: publicUrl = '' } = configuration.section('server', serverSettings);
  observers.observe('failed', failureLogger(log));
  const hasErrorPage = templates.has(ERROR_TEMPLATE);
  events.attachGroup(
    new FrameworkListeners(router, view, {
      hasErrorPage,
      showExceptions,
      errorsUrl: errorsUrlOf(router, publicUrl),
    }),
  );
  events.attachGroup(new EncodedContentListener());
  view.events.attachGroup(new JsonStrategy(new JsonRenderer()), JsonStrategy.PRIORITY);
  view.events.attachGroup(
    new NunjucksStrategy(new NunjucksRenderer(templates, view.helpers)),
    NunjucksStrategy.PRIORITY,
  );
}

/** The URL of the error reference, once the route of it is known: modules add it after the framework's listeners. */
function errorsUrlOf(router: Router<RouteTarget>, publicUrl: string): () => string | undefined {
  let url: string | null | undefined;
  return () => {
    url ??= router.routes.some(({ name }) => name === ERRORS_ROUTE)
      ? publicUrl + router.assemble(ERRORS_ROUTE)
      : null;
    return url ?? undefined;
  };
}

/** @throws ConfigurationError for what modules from outside have named, and cannot be made or is of another kind */
async function assertDeferred({ deferred, builtIn }: Application): Promise<void> {
  for (const { owner, make } of deferred) if (!builtIn.includes(owner)) await make();
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
  await register('render_strategies', atRender, async (name, where) => {
    registerStrategyAtRender(application, name, where);
    // What a factory makes is only known when it is made: better now than at every request.
    await application.deferred.at(-1)?.make();
  });
}
