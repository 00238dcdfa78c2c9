import type { Event } from './event';
import type { ListenerRegistration } from './listener-registration';
import { isThenable } from './maybe-promise';

/** A call of a listener that has returned, thrown, or settled its promise. */
export interface ListenerCall {
  /** The name under which the event was triggered. */
  readonly name: string;
  readonly event: Event;
  /** Identifies the listener within its event manager, as in {@link ListenerDescription}. */
  readonly sequence: number;
  /** In milliseconds; includes the listeners of events that it triggers. */
  readonly duration: number;
}

/** Must not throw. */
export type CallObserver = (call: ListenerCall) => void;

/** Returns the registration with a listener that measures each call of the original one. */
export function observedListener(
  name: string,
  attached: ListenerRegistration,
  observe: CallObserver,
): ListenerRegistration {
  const { listener, sequence } = attached;
  const measured = (event: Event): unknown => {
    const started = performance.now();
    const done = (): void => observe({ name, event, sequence, duration: performance.now() - started });
    let isPending = false;
    try {
      const result = listener(event);
      isPending = isThenable(result);
      return isPending ? Promise.resolve(result).finally(done) : result;
    } finally {
      if (!isPending) done();
    }
  };
  return { ...attached, listener: measured };
}
