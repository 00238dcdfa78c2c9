import {
  errorEvents,
  priorities,
  requestEvents,
  type BootstrapEvent,
  type Module,
  type MvcEvent,
} from '../../src/framework';

/** Records in which phase of a request each member of its event changes, e.g. `route: authentication`. */
export class PhaseRecorder implements Module {
  readonly name = 'phase-recorder';
  readonly #phases = new Map<string, Set<string>>();
  readonly #members: readonly string[];
  readonly #last = new WeakMap<
    MvcEvent,
    { readonly state: ReadonlyMap<string, unknown>; readonly event: string }
  >();

  constructor(members: readonly string[]) {
    this.#members = members;
  }

  onBootstrap({ application: { events } }: BootstrapEvent): void {
    for (const name of [...requestEvents, ...errorEvents]) {
      events.attach(name, (event) => this.#compare(event, name), Infinity);
      const steps: Readonly<Record<string, number>> =
        name in priorities ? priorities[name as keyof typeof priorities] : {};
      // Between this step and the next.
      for (const [step, priority] of Object.entries(steps))
        events.attach(name, (event) => this.#compare(event, name, `${name}: ${step}`), priority - 0.5);
      events.attach(name, (event) => this.#compare(event, name, name), -Infinity);
    }
  }

  /** Returns the phases in which a member was seen to change; an event alone where no step of it is known. */
  phasesOf(member: string): readonly string[] {
    const phases = [...(this.#phases.get(member) ?? [])];
    return phases.filter((phase) => !phases.some((other) => other.startsWith(`${phase}: `)));
  }

  #compare(event: MvcEvent, name: string, step?: string): void {
    const state = new Map(this.#members.map((member) => [member, Reflect.get(event, member) as unknown]));
    const last = this.#last.get(event);
    this.#last.set(event, { state, event: name });
    // What changed before the first listener of an event was changed by the one before, which may have thrown.
    const phase = last === undefined ? 'construction' : (step ?? last.event);
    for (const [member, value] of state) {
      if (value === last?.state.get(member)) continue;
      const phases = this.#phases.get(member) ?? new Set();
      this.#phases.set(member, phases.add(phase));
    }
  }
}
