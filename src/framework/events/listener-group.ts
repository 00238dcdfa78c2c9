import type { Event } from './event';
import type { EventManager, ListenerGroup } from './event-manager';

/**
 * A listener group that records the listeners it attaches, so that `detach` needs no code.
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

  /** Attaches the listeners. @returns the functions that detach them */
  protected abstract listeners(events: EventManager<M>, priority?: number): readonly (() => void)[];
}
