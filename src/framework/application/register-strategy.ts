import type { Services } from '../container/services';
import { ConfigurationError } from '../errors/configuration-error';
import { priorities } from '../mvc/lifecycle';
import { isViewStrategy, type ViewStrategy } from '../view/view-strategy';
import type { Application } from './application';

const KIND = 'a view strategy (an object whose class extends ViewStrategy)';

/**
 * Attaches a view strategy now.
 *
 * @param name the name of the service in the container
 * @param where the location of the name, for messages; defaults to the module
 * @throws ConfigurationError if the service does not exist, or is not a view strategy
 */
export async function registerStrategy(
  { services, view, events }: Application,
  name: string,
  where = ownerOf(events),
): Promise<void> {
  view.events.attachGroup(await strategyOf(services, name, where));
}

function ownerOf({ attribution }: Application['events']): string {
  return `The module "${attribution.currentSource().owner}"`;
}

async function strategyOf(services: Services, name: string, where: string): Promise<ViewStrategy> {
  const strategy = await services.getNamed(name, isViewStrategy, KIND, where);
  // Every response would fail, also those of other formats.
  if (typeof Reflect.get(strategy, 'recognizes') === 'function') return strategy;
  throw new ConfigurationError(`${where}: the view strategy "${name}" has no method recognizes(model).`);
}

/**
 * Attaches a view strategy at the first `render` event. Strategies of built-in modules are created then; all others
 * when the application is built, so that errors are found at startup.
 *
 * @param name the name of the service in the container
 * @param where the location of the name, for messages; defaults to the module
 * @throws ConfigurationError if the service does not exist, or is known not to be a view strategy before it is created
 * @example
 * onBootstrap({ application }) { registerStrategyAtRender(application, 'BlueprintStrategy'); }
 */
export function registerStrategyAtRender(
  { services, view, events, deferred }: Application,
  name: string,
  where = ownerOf(events),
): void {
  services.assertKind(name, isViewStrategy, KIND, where);
  const make = (): Promise<ViewStrategy> => strategyOf(services, name, where);
  const source = events.attribution.currentSource();
  deferred.push({ owner: source.owner, make });
  let attached = false;
  const register = (): Promise<void> | undefined => {
    if (attached) return undefined;
    return make().then((strategy) => {
      // A concurrent request may have attached it already; a group is attached only once.
      void view.events.attribution.as(source, () => view.events.attachGroup(strategy));
      attached = true;
    });
  };
  // Names the listener in lists of listeners, where the strategy itself does not appear before the first rendering.
  Object.defineProperty(register, 'name', { value: `register ${name}` });
  events.attach('render', register, priorities.render.strategies);
}
