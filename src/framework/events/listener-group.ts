import type { Event } from './event';
import type { EventManager } from './event-manager';

/** Listeners that belong together, and come and go together. */
export interface ListenerGroup<M extends Record<keyof M, Event>> {
  /** @param priority for all of the group's listeners, where the group leaves the choice */
  attach(events: EventManager<M>, priority?: number): void;
  detach(events: EventManager<M>): void;
}

/**
 * A listener group that remembers what it attached: say what to attach, and `detach` is done.
 *
 * @example
 * class Audit extends Listeners<ApplicationEvents> {
 *   protected override listeners(events: EventManager<ApplicationEvents>) {
 *     return [events.attach('route', (event) => this.#note(event), -700)];
 *   }
 * }
 */
export abstract class Listeners<M extends Record<keyof M, Event>> implements ListenerGroup<M> {
  readonly #detach = new Map<EventManager<M>, readonly (() => void)[]>();

  attach(events: EventManager<M>, priority?: number): void {
    if (this.#detach.has(events)) return;
    this.#detach.set(events, this.listeners(events, priority));
  }

  detach(events: EventManager<M>): void {
    for (const detach of this.#detach.get(events) ?? []) detach();
    this.#detach.delete(events);
  }

  /** Attaches the listeners and returns what `attach` returned for each. */
  protected abstract listeners(events: EventManager<M>, priority?: number): readonly (() => void)[];
}
