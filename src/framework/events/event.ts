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
