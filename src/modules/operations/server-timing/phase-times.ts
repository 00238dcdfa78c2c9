import { pluralize, priorities } from '../../../framework';

/** The phases that `Server-Timing` reports, in this order. */
const phases = ['route', 'auth', 'validation', 'handler', 'database', 'render'] as const;
export type Phase = (typeof phases)[number];

/** Returns the phase that a listener belongs to; undefined for those that are not reported. */
export function phaseOf(event: string, priority: number): Phase | undefined {
  const { authentication, authorization, negotiation } = priorities.route;
  if (event === 'dispatch') return 'handler';
  if (event === 'render') return 'render';
  if (event !== 'route') return undefined;
  if (priority === authentication || priority === authorization) return 'auth';
  return priority <= negotiation ? 'validation' : 'route';
}

/** Adds up the durations of the phases of one request. */
export class PhaseTimes {
  readonly #times = new Map<Phase, number>();
  #statements = 0;

  /** @param duration in milliseconds */
  add(phase: Phase, duration: number): void {
    this.#times.set(phase, (this.#times.get(phase) ?? 0) + duration);
    if (phase === 'database') this.#statements++;
  }

  /** Returns the value of `Server-Timing` (W3C Server Timing, 3): the phases that the request had, in milliseconds. */
  toString(): string {
    return phases
      .flatMap((phase) => {
        const time = this.#times.get(phase);
        if (time === undefined) return [];
        const desc = phase === 'database' ? `;desc="${pluralize(this.#statements, 'statement')}"` : '';
        return [`${phase}${desc};dur=${Number(time.toFixed(3))}`];
      })
      .join(', ');
  }
}
