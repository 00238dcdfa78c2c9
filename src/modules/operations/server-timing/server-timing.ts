import {
  asCurrentRequest,
  isThenable,
  MvcEvent,
  priorities,
  type Application,
  type ListenerDecorator,
} from '../../../framework';
import { observeStatements } from '../statements';
import { PhaseTimes, phaseOf, type Phase } from './phase-times';

/** Who receives `Server-Timing`. */
export type TimingAudience = 'users' | 'all';

/** Adds `Server-Timing` to the responses of an application: how long the phases of the request took. */
export function addServerTiming(application: Application, audience: TimingAudience): void {
  const { events } = application;
  const times = new WeakMap<MvcEvent, PhaseTimes>();
  const add = (event: MvcEvent | undefined, phase: Phase, duration: number): void => {
    if (event === undefined) return;
    const known = times.get(event) ?? new PhaseTimes();
    times.set(event, known);
    known.add(phase, duration);
  };
  events.decorate(timingDecorator(add));
  application.wrapRequests(asCurrentRequest);
  events.attach(
    'response',
    function addTiming(event: MvcEvent) {
      const { identity, response } = event;
      if (audience === 'users' && identity?.isGuest !== false) return;
      // A 401 is identical for all causes, so that it does not reveal them.
      const measured = response.status === 401 ? undefined : times.get(event);
      if (measured !== undefined) response.fields.set('Server-Timing', measured.toString());
    },
    priorities.response.fields,
  );
  const endStatements = observeStatements(({ event, duration }) => add(event, 'database', duration));
  events.attach('shutdown', endStatements);
}

/** Measures the listeners of the phases, and no others. */
function timingDecorator(add: (event: MvcEvent, phase: Phase, duration: number) => void): ListenerDecorator {
  return (name, { priority }, listener) => {
    const phase = phaseOf(name, priority);
    if (phase === undefined) return listener;
    return (event) => {
      const started = performance.now();
      const done = (): void => {
        if (event instanceof MvcEvent) add(event, phase, performance.now() - started);
      };
      let isPending = false;
      try {
        const result = listener(event);
        isPending = isThenable(result);
        return isPending ? Promise.resolve(result).finally(done) : result;
      } finally {
        if (!isPending) done();
      }
    };
  };
}
