import { editDistance } from '../text/closest-match';
import type { ListenerDescription } from './listener-registration';

/**
 * Warns about listeners of events whose names are almost those of known ones: they are never called. Modules may trigger
 * events of their own: names that differ more, and plurals and participles, are theirs.
 */
export function misspelledEvents(
  listeners: readonly ListenerDescription[],
  known: readonly string[],
): readonly string[] {
  return listeners
    .filter(({ event }) => event !== '*' && !known.includes(event))
    .flatMap(({ event, owner, source }) => {
      const meant = known.find((name) => isMisspelled(event, name));
      if (meant === undefined) return [];
      const where = source === undefined ? '' : ` (${source})`;
      return [
        `The module "${owner}" listens to the event "${event}"${where}, which the platform does not trigger. Did you mean "${meant}"?`,
      ];
    });
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
