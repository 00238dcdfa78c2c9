/**
 * Counts the stopped events of an event manager: while the count does not change, a trigger does not have to read the
 * event itself. Events have many shapes, as listeners add members, so that a read costs as much as calling a
 * listener.
 */
export class StopCounter {
  count = 0;
}

/** An event, with the state that its listeners share. */
export class Event {
  #name = '';
  #stopped = false;
  #stops: StopCounter | undefined;

  /** The name of the latest trigger. */
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
   * Called by the event manager. An event can be triggered with several names sequentially, but by one event manager
   * only.
   * @internal
   */
  begin(name: string, stops: StopCounter): void {
    this.#name = name;
    this.#stopped = false;
    this.#stops = stops;
  }
}
