import { dateOf } from './lifecycle';
import type { DeclarationPlace } from '../definition/declaration-place';

/** What the changelog says about a version. */
export interface ReleaseDefinition {
  /** The day of its release, `2026-12-31`. */
  readonly release_date?: string;
  /** What changes for its clients, as CommonMark. */
  readonly release_notes?: string;
}

/** The release of a version. */
export interface Release {
  /** As `2026-12-31`. */
  readonly date: string | undefined;
  /** CommonMark; may be empty. */
  readonly notes: string;
}

/**
 * Parses the release of a version.
 * @param placeOf the version, for messages
 * @throws ConfigurationError for an invalid date
 */
export function releaseOf(definition: ReleaseDefinition, placeOf: DeclarationPlace): Release {
  const date = dateOf(definition.release_date, placeOf, 'release_date');
  return Object.freeze({
    date: date === undefined ? undefined : definition.release_date?.slice(0, 10),
    notes: definition.release_notes?.trim() ?? '',
  });
}
