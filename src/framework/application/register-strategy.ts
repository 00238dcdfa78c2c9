import { priorities } from '../mvc/lifecycle';
import { isViewStrategy, type ViewStrategy } from '../view/view-strategy';
import type { Application } from './application';

const KIND = 'a view strategy (an object whose class extends ViewStrategy)';

/**
 * Registers a view strategy from the start: it is there for every request.
 *
 * @param name of the service in the container
 * @param where the place of the name, for messages
 * @throws ConfigurationError when no service has the name, or it is no view strategy
 */
export async function registerStrategy(
  { services, view }: Application,
  name: string,
  where: string,
): Promise<void> {
  view.events.attachGroup(await services.getNamed(name, isViewStrategy, KIND, where));
}

/**
 * Registers a view strategy at the `render` event: it is attached when something is first rendered. Those of built-in
 * modules are made then, and not at all by a service that never renders; all others when the application is built, so that
 * one that is no strategy is found then.
 *
 * @param name of the service in the container
 * @param where the place of the name, for messages
 * @throws ConfigurationError when no service has the name, or it is no view strategy, as far as that is known before it is made;
 *   the rest is found when the application is built
 * @example
 * onBootstrap({ application }) { registerStrategyAtRender(application, 'BlueprintStrategy', this.name); }
 */
export function registerStrategyAtRender(
  { services, view, events, deferred }: Application,
  name: string,
  where: string,
): void {
  services.assertKind(name, isViewStrategy, KIND, where);
  const make = (): Promise<ViewStrategy> => services.getNamed(name, isViewStrategy, KIND, where);
  const by = events.attribution.currentSource();
  deferred.push({ owner: by.owner, make });
  let attached = false;
  const register = (): Promise<void> | undefined => {
    if (attached) return undefined;
    return make().then((strategy) => {
      // A request that came meanwhile may have attached it already: a group is attached once.
      void view.events.attribution.as(by, () => view.events.attachGroup(strategy));
      attached = true;
    });
  };
  // For who looks at the listeners: the strategy itself is not there before something is rendered.
  Object.defineProperty(register, 'name', { value: `register ${name}` });
  events.attach('render', register, priorities.render.strategies);
}
