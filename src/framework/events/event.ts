/**
 * Counts the stopped events of one event manager: while it does not rise, a trigger need not look at the event itself.
 * Events have many shapes, as listeners add members, and such a look costs as much as calling a listener.
 */
export class StopCounter {
  count = 0;
}

/** What happened, and the state that its listeners share. */
export class Event {
  #name = '';
  #stopped = false;
  #stops: StopCounter | undefined;

  /** The name it was last triggered by. */
  get name(): string {
    return this.#name;
  }

  /** Skips the remaining listeners of the current trigger. */
  stopPropagation(): void {
    this.#stopped = true;
    if (this.#stops !== undefined) this.#stops.count++;
  }

  get propagationIsStopped(): boolean {
    return this.#stopped;
  }

  /**
   * Called by the event manager. One event may be triggered under several names, one after the other, and by one
   * event manager only.
   * @internal
   */
  begin(name: string, stops: StopCounter): void {
    this.#name = name;
    this.#stopped = false;
    this.#stops = stops;
  }
}
