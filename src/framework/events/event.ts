let stops = 0;

/**
 * How often any event was stopped: where it did not rise, nobody need look at the event itself. Events have many
 * shapes, as listeners add what they find out, and looking costs as much as calling a listener.
 */
export function stopsSoFar(): number {
  return stops;
}

/** What happened, and what its listeners share while they deal with it. */
export class Event {
  #name = '';
  #stopped = false;

  /** The name it was last triggered under. */
  get name(): string {
    return this.#name;
  }

  /** No listener after the present one hears of this event. */
  stopPropagation(): void {
    this.#stopped = true;
    stops++;
  }

  get propagationIsStopped(): boolean {
    return this.#stopped;
  }

  /** The event manager's call: one event object may be triggered under several names, one after the other. */
  begin(name: string): void {
    this.#name = name;
    this.#stopped = false;
  }
}
