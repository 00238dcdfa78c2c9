import { editDistance } from '../text/closest-match';
import { FRAMEWORK, type ListenerSource } from './attribution';

/** A listener or an observer of an event. */
type Attached = ListenerSource & { readonly event: string };

/**
 * Warns about listeners of events whose names are almost those of known ones: they are never called. Modules may trigger
 * events of their own: names that differ more, and plurals and participles, are theirs.
 */
export function misspelledEvents(
  listeners: readonly Attached[],
  known: readonly string[],
): readonly string[] {
  return unknownListeners(listeners, known).flatMap((one) => {
    const meant = known.find((name) => isMisspelled(one.event, name));
    return meant === undefined
      ? []
      : [`${neverCalled(one)}, which the platform does not trigger. Did you mean "${meant}"?`];
  });
}

/** Warns about listeners of all other events than the known ones, where modules trigger none. */
export function unknownEvents(listeners: readonly Attached[], known: readonly string[]): readonly string[] {
  return unknownListeners(listeners, known).map(
    (one) => `${neverCalled(one)} of the View, which triggers ${known.join(' and ')} only.`,
  );
}

/** Warns about listeners of an event that modules can only attach while it is triggered, once. */
export function lateListeners(listeners: readonly Attached[], event: string): readonly string[] {
  return listeners
    .filter((one) => one.event === event && one.owner !== FRAMEWORK)
    .map((one) => `${neverCalled(one)}, which is not triggered again. Do this in onBootstrap.`);
}

function unknownListeners(listeners: readonly Attached[], known: readonly string[]): readonly Attached[] {
  return listeners.filter(({ event }) => event !== '*' && !known.includes(event));
}

function neverCalled({ event, owner, source }: Attached): string {
  const where = source === undefined ? '' : ` (${source})`;
  return `The module "${owner}" listens to the event "${event}"${where}`;
}

function isMisspelled(event: string, name: string): boolean {
  if ([`${name}s`, `${name}d`].includes(event)) return false;
  return (
    editDistance(event.toLowerCase(), name.toLowerCase()) <= 1 || sortedLetters(event) === sortedLetters(name)
  );
}

function sortedLetters(name: string): string {
  return Array.from(name).sort().join('');
}
