import path from 'node:path';
import {
  applicationEvents,
  errorEvents,
  requestEvents,
  type Application,
  type Attributed,
  type ListenerDescription,
} from '../../../../framework';
import type { ConfigurationChanges } from '../../changes/configuration-changes';

/** A listener of an event. */
interface ListenerView {
  readonly name: string;
  readonly priority: number;
  /** The module that has attached it; `framework` for its own. */
  readonly module: string;
  /** `file:line` from the project's root or the package, or the place in configuration. */
  readonly source: string | undefined;
  /** Whether it hears of every event. */
  readonly hearsAll: boolean;
}

/** An event with its listeners, in the order in which they are called. */
export interface EventView {
  readonly name: string;
  /** Whose event it is. */
  readonly of: 'application' | 'view';
  readonly listeners: readonly ListenerView[];
}

interface ObserverView {
  readonly event: string;
  readonly name: string;
  readonly module: string;
  readonly source: string | undefined;
}

interface StrategyView extends Omit<ListenerView, 'hearsAll'> {
  /** `start`: for every request; `render`: made when something is first rendered. */
  readonly since: 'start' | 'render';
}

export interface ListenersView {
  /** Those of requests, errors and the application, in the order in which they happen. */
  readonly application: readonly EventView[];
  /** Those of the view. */
  readonly view: readonly EventView[];
  readonly strategies: readonly StrategyView[];
  readonly observers: readonly ObserverView[];
}

/** In which they happen. */
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
/** What the listener that registers a strategy at the render event is called. */
const REGISTERS = /^register (.+)$/;
/** The folder of the package. */
const PACKAGE = path.join(__dirname, '..', '..', '..', '..', '..');

/** Who listens to what in the running application. */
export class EventListeners {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Every event, those of the application before those of the view. */
  list(): readonly EventView[] {
    const { application, view } = this.get();
    return [...application, ...view];
  }

  get(): ListenersView {
    const { events, view, observers, configuration } = this.#changes.running;
    const show = toView(configuration.root);
    const [ours, views] = [events.describe(), view.events.describe()];
    return {
      application: byEvent('application', ours, show),
      view: byEvent('view', views, show),
      strategies: strategiesOf(ours, views, show),
      observers: observers.describe().map((one) => ({ event: one.event, name: one.name, ...show(one) })),
    };
  }
}

type Show = (one: Attributed) => { readonly module: string; readonly source: string | undefined };

function toView(root: Application['configuration']['root']): Show {
  return ({ owner, source }) => ({ module: owner, source: source && shortened(source, root) });
}

/** Paths below the package, or below the project, without what stands before. */
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
        hearsAll: one.event === EVERY,
        ...show(one),
      })),
  }));
}

/** Strategies attach to the view's event `renderer`; others wait at `render` until something is rendered. */
function strategiesOf(
  ours: readonly ListenerDescription[],
  views: readonly ListenerDescription[],
  show: Show,
): readonly StrategyView[] {
  const nameOf = ({ name }: ListenerDescription): string => name.split('.', 1)[0] ?? name;
  const there = views
    .filter(({ event }) => event === 'renderer')
    .map((one) => ({ name: nameOf(one), priority: one.priority, since: 'start' as const, ...show(one) }));
  const later = ours.flatMap((one) => {
    const [, name] = REGISTERS.exec(one.name) ?? [];
    const isThere = there.some((strategy) => strategy.name === name);
    return one.event !== 'render' || name === undefined || isThere
      ? []
      : [{ name, priority: one.priority, since: 'render' as const, ...show(one) }];
  });
  return [...there, ...later].sort((one, other) => other.priority - one.priority);
}
