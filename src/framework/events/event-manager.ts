import {
  assertRegistration,
  describeListener,
  byPriority,
  groupName,
  type ListenerDecorator,
  type ListenerRegistration,
  type ListenerDescription,
} from './listener-registration';
import { Attribution } from './attribution';
import { observingDecorator, type CallObserver } from './call-observer';
import { StopCounter, type Event } from './event';
import { ListenerList } from './listener-list';
import type { MaybeResults, Until } from './result-collection';

/** Called with the event; the value it returns, or promises, is its result. */
export type Listener<E extends Event> = (event: E) => unknown;

/** Listeners that are attached and detached together. */
export interface ListenerGroup<M extends Record<keyof M, Event>> {
  /** @param priority of the listeners, if the group supports it */
  attach(events: EventManager<M>, priority?: number): void;
  detach(events: EventManager<M>): void;
}

const never: Until = () => false;

/**
 * Calls listeners by priority: higher first, equal ones in the order of attachment.
 *
 * ```
 * #registrations  'route' → [{1, match}, {-50, authenticate}]  in the order of attachment
 *                 '*'     → [{5, trace}]                       called for every event
 * #compiled       'route' → [trace, match, authenticate]       sorted once, merged with '*'
 * ```
 *
 * The list of a name is compiled at its first trigger, and discarded when a listener is attached or detached. It is
 * never changed, so that a listener may attach or detach others while it runs: that takes effect at the next trigger.
 *
 * Listeners may be synchronous or asynchronous, and run one after the other. A trigger whose listeners are all
 * synchronous returns its results without a promise.
 *
 * @example
 * const events = new EventManager<{ saved: SavedEvent }>();
 * const detach = events.attach('saved', (event) => log(event.file), 10);
 */
export class EventManager<M extends Record<keyof M, Event>> {
  readonly #registrations = new Map<string, ListenerRegistration[]>();
  readonly #compiled = new Map<string, ListenerList>();
  readonly #groups = new Set<object>();
  readonly #decorators = new Set<ListenerDecorator>();
  /** The origin of listeners, for {@link describe}. */
  readonly attribution: Attribution;
  readonly #stops = new StopCounter();
  #sequence = 0;
  #revision = 0;
  /** The name of the group that is attaching its listeners. */
  #currentGroup: string | undefined;

  /** @param attribution shared with the other event managers and observers of an application */
  constructor(attribution = new Attribution()) {
    this.attribution = attribution;
  }

  /**
   * @param name an event's name, or `'*'` for all
   * @param priority higher runs earlier; defaults to 1
   * @returns a function that detaches the listener
   */
  attach<K extends keyof M & string>(name: K, listener: Listener<M[K]>, priority?: number): () => void;
  attach(name: '*', listener: Listener<M[keyof M]>, priority?: number): () => void;
  attach(name: string, listener: Listener<never>, priority = 1): () => void {
    assertRegistration(name, listener, priority);
    const list = this.#registrations.get(name) ?? [];
    const by = this.attribution.currentSource();
    const entry: ListenerRegistration = {
      priority,
      sequence: this.#sequence++,
      by,
      group: this.#currentGroup,
      listener,
    };
    this.#registrations.set(name, [...list, entry]);
    this.#invalidate();
    return () => this.#remove(name, (one) => one === entry);
  }

  /** Detaches a listener from one event, or from all when no name is given. */
  detach(listener: Listener<never>, name?: (keyof M & string) | '*'): void {
    for (const each of name === undefined ? [...this.#registrations.keys()] : [name]) {
      this.#remove(each, (one) => one.listener === listener);
    }
  }

  /**
   * Attaches a group of listeners. A group that is already attached is ignored, so that a strategy can be registered
   * on every request.
   */
  attachGroup(group: ListenerGroup<M>, priority?: number): void {
    if (this.#groups.has(group)) return;
    this.#groups.add(group);
    const outerGroup = this.#currentGroup;
    this.#currentGroup = groupName(group);
    try {
      group.attach(this, priority);
    } finally {
      this.#currentGroup = outerGroup;
    }
  }

  detachGroup(group: ListenerGroup<M>): void {
    if (this.#groups.delete(group)) group.detach(this);
  }

  /** Calls every listener, unless one of them stops the event. */
  trigger<K extends keyof M & string>(name: K, event: M[K]): MaybeResults {
    return this.#listenersOf(name).run(event, never);
  }

  /** Calls listeners until `until` returns true for a result, which is then the last of the collection. */
  triggerUntil<K extends keyof M & string>(until: Until, name: K, event: M[K]): MaybeResults {
    return this.#listenersOf(name).run(event, until);
  }

  /**
   * Calls every listener sequentially, even if one throws or stops the event.
   * @param onError called with the error of a listener
   */
  async triggerEach<K extends keyof M & string>(
    name: K,
    event: M[K],
    onError: (error: unknown) => void,
  ): Promise<void> {
    event.begin(name, this.#stops);
    for (const attached of this.#listenersOf(name)) {
      try {
        await attached.listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  /**
   * Measures every call of a listener. Triggers cost more meanwhile, and nothing before and after.
   * @returns a function that ends it
   */
  observeCalls(observe: CallObserver): () => void {
    return this.decorate(observingDecorator(observe));
  }

  /**
   * Replaces listeners when they are called, for measurements: what a decorator returns unchanged costs nothing more.
   * @returns a function that ends it
   */
  decorate(decorator: ListenerDecorator): () => void {
    this.#decorators.add(decorator);
    this.#compiled.clear();
    return () => {
      this.#decorators.delete(decorator);
      this.#compiled.clear();
    };
  }

  /** Changes whenever a listener is attached or detached. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the owners of the listeners that a trigger of this name calls. */
  owners(name: keyof M & string): ReadonlySet<string> {
    return new Set([...this.#listenersOf(name)].map(({ by }) => by.owner));
  }

  /** Returns the number of listeners that a trigger of this name calls. */
  count(name: keyof M & string): number {
    return this.#listenersOf(name).length;
  }

  /**
   * Describes listeners, by event, in calling order; those of every event are listed under `*`.
   * @param except events that are left out: the code locations of their listeners are not resolved
   */
  describe(except: readonly string[] = []): readonly ListenerDescription[] {
    return [...this.#registrations]
      .filter(([name]) => !except.includes(name))
      .flatMap(([name, list]) => byPriority(list).map((attached) => describeListener(name, attached)));
  }

  #listenersOf(name: string): ListenerList {
    let compiled = this.#compiled.get(name);
    if (compiled === undefined) {
      const named = this.#registrations.get(name) ?? [];
      const wildcard = name === '*' ? [] : (this.#registrations.get('*') ?? []);
      const sorted = byPriority([...named, ...wildcard]);
      compiled = new ListenerList(name, this.#decorated(name, sorted), this.#stops);
      this.#compiled.set(name, compiled);
    }
    return compiled;
  }

  #decorated(name: string, listeners: readonly ListenerRegistration[]): readonly ListenerRegistration[] {
    const decorators = [...this.#decorators];
    if (decorators.length === 0) return listeners;
    return listeners.map((attached) => {
      const { listener } = attached;
      const decorated = decorators.reduce((inner, decorate) => decorate(name, attached, inner), listener);
      return decorated === listener ? attached : { ...attached, listener: decorated };
    });
  }

  #remove(name: string, which: (attached: ListenerRegistration) => boolean): void {
    const list = this.#registrations.get(name);
    if (list === undefined) return;
    this.#registrations.set(
      name,
      list.filter((one) => !which(one)),
    );
    this.#invalidate();
  }

  #invalidate(): void {
    this.#compiled.clear();
    this.#revision++;
  }
}
