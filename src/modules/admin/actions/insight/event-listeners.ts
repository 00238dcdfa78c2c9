import path from 'node:path';
import {
  applicationEvents,
  errorEvents,
  requestEvents,
  type Application,
  type ListenerSource,
  type ListenerDescription,
} from '../../../../framework';
import type { ConfigurationChanges } from '../../changes/configuration-changes';

/** A listener of an event. */
export interface ListenerView {
  readonly name: string;
  readonly priority: number;
  /** Identifies it within the event manager: the order of attachment. */
  readonly sequence: number;
  /** The module that attached it, or `framework`. */
  readonly module: string;
  /** `file:line` relative to the project or the package, or the key path in the configuration. */
  readonly source: string | undefined;
  /** Whether it listens to every event. */
  readonly isWildcard: boolean;
}

/** An event with its listeners in calling order. */
export interface EventView {
  readonly name: string;
  /** The event manager. */
  readonly of: 'application' | 'view';
  readonly listeners: readonly ListenerView[];
}

interface ObserverView {
  readonly event: string;
  readonly name: string;
  readonly module: string;
  readonly source: string | undefined;
}

interface StrategyView extends Omit<ListenerView, 'isWildcard' | 'sequence'> {
  /** `start`: registered at startup; `render`: registered on first render. */
  readonly since: 'start' | 'render';
}

export interface ListenersView {
  /** Request, error and application events in order of occurrence. */
  readonly application: readonly EventView[];
  /** View events. */
  readonly view: readonly EventView[];
  readonly strategies: readonly StrategyView[];
  readonly observers: readonly ObserverView[];
}

/** Events in order of occurrence. */
const ORDER: Readonly<Record<EventView['of'], readonly string[]>> = {
  application: [
    'route',
    'authentication',
    'authorization',
    ...requestEvents.slice(1),
    ...errorEvents,
    ...applicationEvents,
  ],
  view: ['renderer', 'response'],
};
const EVERY = '*';
/** The name of a listener that registers a strategy on the render event. */
const REGISTERS = /^register (.+)$/;
/** The package folder. */
const PACKAGE = path.join(__dirname, '..', '..', '..', '..', '..');

/** Lists the event listeners of the running application. */
export class EventListeners {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Returns every event, application events first. */
  list(): readonly EventView[] {
    const { application, view } = this.get();
    return [...application, ...view];
  }

  get(): ListenersView {
    return listenersOf(this.#changes.running);
  }
}

/** Describes the listeners of an application. */
export function listenersOf({ events, view, observers, configuration }: Application): ListenersView {
  const show = toView(configuration.root);
  const [ours, views] = [events.describe(), view.events.describe()];
  return {
    application: byEvent('application', ours, show),
    view: byEvent('view', views, show),
    strategies: strategiesOf(ours, views, show),
    observers: observers.describe().map((one) => ({ event: one.event, name: one.name, ...show(one) })),
  };
}

type Show = (one: ListenerSource) => { readonly module: string; readonly source: string | undefined };

function toView(root: Application['configuration']['root']): Show {
  return ({ owner, source }) => ({ module: owner, source: source && shortened(source, root) });
}

/** Makes a path relative to the project or the package. */
function shortened(source: string, root: string): string {
  const folder = [root, PACKAGE].find((one) => source.startsWith(one + path.sep));
  return folder === undefined ? source : source.slice(folder.length + 1);
}

function byEvent(of: EventView['of'], all: readonly ListenerDescription[], show: Show): readonly EventView[] {
  const order = ORDER[of];
  const wildcard = all.filter(({ event }) => event === EVERY);
  const named = new Set(all.map(({ event }) => event).filter((event) => event !== EVERY));
  const names = [
    ...order.filter((name) => named.has(name)),
    ...[...named].filter((name) => !order.includes(name)).sort(),
  ];
  return names.map((name) => ({
    name,
    of,
    listeners: [...all.filter(({ event }) => event === name), ...wildcard]
      .sort((one, other) => other.priority - one.priority || one.sequence - other.sequence)
      .map((one) => ({
        name: one.name,
        priority: one.priority,
        sequence: one.sequence,
        isWildcard: one.event === EVERY,
        ...show(one),
      })),
  }));
}

/** Strategies listen to the view event `renderer`; some are registered by a `render` listener on first use. */
function strategiesOf(
  ours: readonly ListenerDescription[],
  views: readonly ListenerDescription[],
  show: Show,
): readonly StrategyView[] {
  const nameOf = ({ name }: ListenerDescription): string => name.split('.', 1)[0] ?? name;
  const registered = views
    .filter(({ event }) => event === 'renderer')
    .map((one) => ({ name: nameOf(one), priority: one.priority, since: 'start' as const, ...show(one) }));
  const onRender = ours.flatMap((one) => {
    const [, name] = REGISTERS.exec(one.name) ?? [];
    const isRegistered = registered.some((strategy) => strategy.name === name);
    return one.event !== 'render' || name === undefined || isRegistered
      ? []
      : [{ name, priority: one.priority, since: 'render' as const, ...show(one) }];
  });
  return [...registered, ...onRender].sort((one, other) => other.priority - one.priority);
}
