import { describeValue } from '../text/describe-value';
import type { ListenerSource } from './attribution';
import type { Event } from './event';

/** An attached listener. */
export interface ListenerRegistration {
  readonly priority: number;
  /** Order of attachment, the tie-breaker of equal priorities. */
  readonly sequence: number;
  readonly by: ListenerSource;
  /** The name of its group. */
  readonly group: string | undefined;
  readonly listener: AnyListener;
}

/**
 * Returns the function that is called instead of a listener, or the listener itself. Called once, when the listeners of
 * an event are compiled.
 * @param attached what was attached
 * @param listener what is called so far: the attached listener, or what another decorator has returned
 */
export type ListenerDecorator = (
  name: string,
  attached: ListenerRegistration,
  listener: AnyListener,
) => AnyListener;

/** A method type, whose parameters are bivariant: listeners of any event class are assignable. */
type AnyListener = { call(event: Event): unknown }['call'];

/** @throws TypeError for what only JavaScript passes: each trigger of the event would fail, or have an arbitrary order */
export function assertRegistration(name: string, listener: unknown, priority: unknown): void {
  if (typeof listener === 'function' && typeof priority === 'number' && !Number.isNaN(priority)) return;
  throw new TypeError(
    `attach('${name}', listener, priority) needs a function and a number, not ${describeValue(listener)} and ${describeValue(priority)}.`,
  );
}

/** Sorts registrations: higher priorities first, equal ones in the order of attachment. */
export function byPriority(attached: readonly ListenerRegistration[]): readonly ListenerRegistration[] {
  return [...attached].sort((a, b) => b.priority - a.priority || a.sequence - b.sequence);
}

/** A description of a listener, for listings. */
export interface ListenerDescription extends ListenerSource {
  /** The event's name; `*` for all. */
  readonly event: string;
  readonly priority: number;
  readonly sequence: number;
  /** `FrameworkListeners.match`; without the class if it was not attached by a group. */
  readonly name: string;
}

/** Describes a listener attached to an event. */
export function describeListener(event: string, attached: ListenerRegistration): ListenerDescription {
  const { priority, sequence, by, group } = attached;
  const own = functionName(attached.listener.name, attached.listener.toString());
  const name = group === undefined ? (own ?? 'anonymous') : own === undefined ? group : `${group}.${own}`;
  return { event, priority, sequence, name, owner: by.owner, source: by.source };
}

/**
 * `(event) => this.#match(event)`, `async ({ request }) => await log(request)`, and compiled imports: `(0, log_1.log)(event)`,
 * but not those without a name: `(0, log_1.default)(event)`
 */
const ONE_CALL =
  /^(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s*(?:await\s+|void\s+)?(?:\(0,\s*)?(?:[\w$]+\.)*#?(?!default\))([\w$]+)\)?\(/;

/** Of a function that a module exports as its default, and of such a declaration as it is compiled. */
const NO_NAME = /^(?:default(?:_1)?)?$/;

/** Returns the name of a function, or of the function that an anonymous arrow function calls. */
export function functionName(name: string, text: string): string | undefined {
  return NO_NAME.test(name) ? ONE_CALL.exec(text)?.[1] : name;
}

/** Returns the class name of a group; undefined for a plain object. */
export function groupName(group: object): string | undefined {
  const { name } = group.constructor;
  return name === '' || name === 'Object' ? undefined : name;
}
