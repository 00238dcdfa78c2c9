import { ConfigurationError } from '../../../framework';
import type { DeclarationPlace } from '../definition/declaration-place';
import type { GroupedWarnings } from '../grouped-warnings';

/** The lifecycle of a version (deprecation and removal). */
export interface Lifecycle {
  /** When it is deprecated. */
  readonly deprecated: Date | undefined;
  /** When it will be removed. */
  readonly sunset: Date | undefined;
  /** The version that replaces it. */
  readonly successor: number | undefined;
}

/** The lifecycle settings of a version. Dates as in RFC 3339; a date without time means midnight UTC. */
export interface LifecycleDefinition {
  readonly deprecated?: string;
  readonly sunset?: string;
  readonly successor?: number;
}

/**
 * Parses the lifecycle settings.
 * @param placeOf the version, for messages
 * @param versions versions of the API, in ascending order
 * @returns undefined for a version that is not deprecated
 * @throws ConfigurationError for an invalid date, a sunset before the deprecation (RFC 9745, 4), or an unknown
 *   successor
 */
export function lifecycleOf(
  definition: LifecycleDefinition,
  placeOf: DeclarationPlace,
  version: number,
  versions: readonly number[],
): Lifecycle | undefined {
  if (definition.deprecated === undefined && definition.sunset === undefined) return undefined;
  const deprecated = dateOf(definition.deprecated, placeOf, 'deprecated');
  const sunset = dateOf(definition.sunset, placeOf, 'sunset');
  if (deprecated !== undefined && sunset !== undefined && sunset < deprecated) {
    throw new ConfigurationError(`${placeOf('sunset', 'deprecated')}: sunset is before deprecated.`);
  }
  const successor = definition.successor ?? versions.find((one) => one > version);
  if (successor !== undefined && (!versions.includes(successor) || successor === version)) {
    throw new ConfigurationError(
      `${placeOf('successor')}: the successor ${successor} is not another version of the API. Available: ${versions.join(', ')}.`,
    );
  }
  return Object.freeze({ deprecated, sunset, successor });
}

/** Warns about a successor of a version that is neither deprecated nor removed: no response links to it. */
export function warnAboutSuccessor(
  { deprecated, sunset, successor }: LifecycleDefinition,
  placeOf: DeclarationPlace,
  warnings: GroupedWarnings,
): void {
  if (successor === undefined || deprecated !== undefined || sunset !== undefined) return;
  warnings.add(
    'successor has no effect without "deprecated" or "sunset". Add one of the dates, or remove it.',
    placeOf('successor'),
  );
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** @throws ConfigurationError for a text that is not a date */
export function dateOf(text: string | undefined, placeOf: DeclarationPlace, key: string): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (DATE.test(text) && !Number.isNaN(date.valueOf()) && isDay(text.slice(0, 10))) return date;
  throw new ConfigurationError(
    `${placeOf(key)}: ${key} is "${text}", which is not a date. Write "2026-12-31" or "2026-12-31T12:00:00Z".`,
  );
}

/** JavaScript turns February 30 into a day in March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

/**
 * Returns the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` to the same resource in the
 * successor (RFC 5829).
 * @param location in the successor; undefined if it has none
 */
export function lifecycleFields(
  { deprecated, sunset }: Lifecycle,
  location: string | undefined,
): readonly (readonly [name: string, value: string])[] {
  return [
    ...(deprecated === undefined
      ? []
      : [['Deprecation', `@${Math.floor(deprecated.valueOf() / 1_000)}`] as const]),
    ...(sunset === undefined ? [] : [['Sunset', sunset.toUTCString()] as const]),
    ...(location === undefined ? [] : [['Link', `<${location}>; rel="successor-version"`] as const]),
  ];
}
