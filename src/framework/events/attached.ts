import type { Attributed } from './attribution';
import type { Event } from './event';

/** A listener in its place. */
export interface Attached {
  readonly priority: number;
  /** Order of attachment, which decides between equal priorities. */
  readonly sequence: number;
  readonly by: Attributed;
  /** The group that it came with. */
  readonly group: string | undefined;
  readonly listener: AnyListener;
}

/** The type of a method, so that a listener of one event class fits into the list of all. */
type AnyListener = { call(event: Event): unknown }['call'];

/** Higher priorities first, equal ones in the order of attachment. */
export function inOrder(attached: readonly Attached[]): readonly Attached[] {
  return [...attached].sort((a, b) => b.priority - a.priority || a.sequence - b.sequence);
}

/** What there is to tell about a listener. */
export interface ListenerDescription extends Attributed {
  /** The event's name; `*` for all. */
  readonly event: string;
  readonly priority: number;
  readonly sequence: number;
  /** `FrameworkListeners.match`; without the group where it came alone. */
  readonly name: string;
}

/** Tells about a listener that is attached to an event. */
export function describeAttached(event: string, attached: Attached): ListenerDescription {
  const { priority, sequence, by, group } = attached;
  const own = nameOfFunction(attached.listener.name, attached.listener.toString());
  const name = group === undefined ? (own ?? 'anonymous') : own === undefined ? group : `${group}.${own}`;
  return { event, priority, sequence, name, owner: by.owner, source: by.source };
}

/** `(event) => this.#match(event)`, `async ({ request }) => await log(request)` */
const ONE_CALL = /^(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s*(?:await\s+|void\s+)?(?:[\w$]+\.)*#?([\w$]+)\(/;

/** The name of a function; of an arrow function without one that only calls another, that one's name. */
export function nameOfFunction(name: string, text: string): string | undefined {
  return name === '' ? ONE_CALL.exec(text)?.[1] : name;
}

/** The class of a group; undefined for one that is a plain object. */
export function nameOfGroup(group: object): string | undefined {
  const { name } = group.constructor;
  return name === '' || name === 'Object' ? undefined : name;
}
