import { describeAttached, inOrder, nameOfGroup, type Attached, type ListenerDescription } from './attached';
import { Attribution } from './attribution';
import type { Event } from './event';
import type { ListenerGroup } from './listener-group';
import { ListenerList } from './listener-list';
import type { MaybeResults, Until } from './result-collection';

/** Called with the event; what it returns (or promises) is its result. */
export type Listener<E extends Event> = (event: E) => unknown;

const never: Until = () => false;

/**
 * Calls listeners by priority: higher first, equal ones in the order of attachment.
 *
 * ```
 * #attached   'route' → [{1, match}, {-50, authenticate}]      as attached, any order
 *             '*'     → [{5, trace}]                           hears every event
 * #compiled   'route' → [trace, match, authenticate]           sorted once, merged with '*'
 * ```
 *
 * The compiled list of a name is made when it is first triggered, and thrown away when a listener
 * comes or goes; it is never changed, so that a listener may attach or detach others while it runs:
 * they count from the next trigger.
 *
 * Listeners may be synchronous or asynchronous. They run one after the other; a trigger whose
 * listeners are all synchronous returns its results at once, without a promise.
 *
 * @example
 * const events = new EventManager<{ saved: SavedEvent }>();
 * const detach = events.attach('saved', (event) => log(event.file), 10);
 */
export class EventManager<M extends Record<keyof M, Event>> {
  readonly #attached = new Map<string, Attached[]>();
  readonly #compiled = new Map<string, ListenerList>();
  readonly #groups = new Set<ListenerGroup<M>>();
  /** Who attaches listeners at present, for {@link describe}. */
  readonly attribution: Attribution;
  #sequence = 0;
  #revision = 0;
  /** The group that attaches its listeners at present. */
  #group: string | undefined;

  /** @param attribution shared with whatever else of an application has listeners */
  constructor(attribution = new Attribution()) {
    this.attribution = attribution;
  }

  /**
   * @param name an event's name, or `'*'` for all
   * @param priority higher runs earlier; 1 unless told
   * @returns detaches the listener again
   */
  attach<K extends keyof M & string>(name: K, listener: Listener<M[K]>, priority?: number): () => void;
  attach(name: '*', listener: Listener<M[keyof M]>, priority?: number): () => void;
  attach(name: string, listener: Listener<never>, priority = 1): () => void {
    const list = this.#attached.get(name) ?? [];
    const by = this.attribution.here();
    const entry: Attached = { priority, sequence: this.#sequence++, by, group: this.#group, listener };
    this.#attached.set(name, [...list, entry]);
    this.#changed();
    return () => this.#remove(name, (one) => one === entry);
  }

  /** Takes a listener off one event, or off all when no name is given. */
  detach(listener: Listener<never>, name?: (keyof M & string) | '*'): void {
    for (const each of name === undefined ? [...this.#attached.keys()] : [name]) {
      this.#remove(each, (one) => one.listener === listener);
    }
  }

  /**
   * Attaches a group of listeners that belong together. A group is attached once, however often it is
   * asked for: a strategy may be registered on every request without a list that grows.
   */
  attachGroup(group: ListenerGroup<M>, priority?: number): void {
    if (this.#groups.has(group)) return;
    this.#groups.add(group);
    const around = this.#group;
    this.#group = nameOfGroup(group);
    try {
      group.attach(this, priority);
    } finally {
      this.#group = around;
    }
  }

  detachGroup(group: ListenerGroup<M>): void {
    if (this.#groups.delete(group)) group.detach(this);
  }

  /** Calls every listener, unless one of them stops the event. */
  trigger<K extends keyof M & string>(name: K, event: M[K]): MaybeResults {
    return this.#listenersOf(name).run(event, never);
  }

  /** Calls listeners until `until` says true of a result; that result is then the collection's last. */
  triggerUntil<K extends keyof M & string>(until: Until, name: K, event: M[K]): MaybeResults {
    return this.#listenersOf(name).run(event, until);
  }

  /**
   * Calls every listener, one after the other, whatever another throws or stops.
   * @param failed is told what a listener throws
   */
  async triggerEach<K extends keyof M & string>(
    name: K,
    event: M[K],
    failed: (error: unknown) => void,
  ): Promise<void> {
    event.begin(name);
    for (const attached of this.#listenersOf(name)) {
      try {
        await attached.listener(event);
      } catch (error) {
        failed(error);
      }
    }
  }

  /** Another after a listener has come or gone: what was found out about the listeners before holds no longer. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether something is true of every listener that a trigger of this name would call. */
  every(name: keyof M & string, test: (listener: object) => boolean): boolean {
    return [...this.#listenersOf(name)].every(({ listener }) => test(listener));
  }

  /** How many listeners a trigger of this name would call. */
  count(name: keyof M & string): number {
    return this.#listenersOf(name).length;
  }

  /** Every listener, by event, in the order in which they are called; those of every event under `*`. */
  describe(): readonly ListenerDescription[] {
    return [...this.#attached].flatMap(([name, list]) =>
      inOrder(list).map((attached) => describeAttached(name, attached)),
    );
  }

  #listenersOf(name: string): ListenerList {
    let compiled = this.#compiled.get(name);
    if (compiled === undefined) {
      const named = this.#attached.get(name) ?? [];
      const wildcard = name === '*' ? [] : (this.#attached.get('*') ?? []);
      compiled = new ListenerList(name, inOrder([...named, ...wildcard]));
      this.#compiled.set(name, compiled);
    }
    return compiled;
  }

  #remove(name: string, which: (attached: Attached) => boolean): void {
    const list = this.#attached.get(name);
    if (list === undefined) return;
    this.#attached.set(
      name,
      list.filter((one) => !which(one)),
    );
    this.#changed();
  }

  #changed(): void {
    this.#compiled.clear();
    this.#revision++;
  }
}
