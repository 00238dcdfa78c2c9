import { lazily } from '../values/lazily';
import type { Event } from './event';
import { describeListener, type ListenerDescription, type ListenerDecorator } from './listener-registration';
import { isThenable } from './maybe-promise';

/** A call of a listener that has returned, thrown, or settled its promise. */
export interface ListenerCall {
  /** The name under which the event was triggered. */
  readonly name: string;
  readonly event: Event;
  /** Identifies the listener within its event manager, as in {@link ListenerDescription}. */
  readonly sequence: number;
  /** `performance.now()` at the call. */
  readonly started: number;
  /** In milliseconds; includes the listeners of events that it triggers. */
  readonly duration: number;
  /** What it returned, or its promise was fulfilled with. */
  readonly result: unknown;
  /** Set if it threw, or its promise was rejected. */
  readonly thrown: { readonly error: unknown } | undefined;
  /** Describes the listener. */
  readonly describe: () => ListenerDescription;
}

/** Must not throw. */
export type CallObserver = (call: ListenerCall) => void;

/** Returns a decorator that measures each call of a listener. */
export function observingDecorator(observe: CallObserver): ListenerDecorator {
  return (name, attached, listener) => {
    const { sequence } = attached;
    const describe = lazily(() => describeListener(name, attached));
    return (event) => {
      const started = performance.now();
      const done = (result: unknown, thrown?: { readonly error: unknown }): void => {
        const duration = performance.now() - started;
        observe({ name, event, sequence, started, duration, result, thrown, describe });
      };
      let result: unknown;
      try {
        result = listener(event);
      } catch (error) {
        done(undefined, { error });
        throw error;
      }
      if (!isThenable(result)) {
        done(result);
        return result;
      }
      return Promise.resolve(result).then(
        (value) => {
          done(value);
          return value;
        },
        (error: unknown) => {
          done(undefined, { error });
          throw error;
        },
      );
    };
  };
}
