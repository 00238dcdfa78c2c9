import { StartError } from '../../framework';

/** What is to become of a version. */
export interface Lifecycle {
  /** Since when clients should leave it. */
  readonly deprecated: Date | undefined;
  /** When it will be gone. */
  readonly sunset: Date | undefined;
  /** The version to go to. */
  readonly successor: number | undefined;
}

/** What a version says of that; dates are those of RFC 3339, a day without a time begins at midnight UTC. */
export interface LifecycleDefinition {
  readonly deprecated?: string;
  readonly sunset?: string;
  readonly successor?: number;
}

/**
 * @param where names the version, for messages
 * @param versions of the API, rising
 * @returns undefined for a version that is to stay
 * @throws StartError for a date that is none, a sunset before the deprecation (RFC 9745, 4), an unknown successor
 */
export function lifecycleOf(
  definition: LifecycleDefinition,
  where: string,
  version: number,
  versions: readonly number[],
): Lifecycle | undefined {
  if (definition.deprecated === undefined && definition.sunset === undefined) return undefined;
  const deprecated = dateOf(definition.deprecated, `${where}: deprecated`);
  const sunset = dateOf(definition.sunset, `${where}: sunset`);
  if (deprecated !== undefined && sunset !== undefined && sunset < deprecated) {
    throw new StartError(`${where}: its sunset is before the day from which it is deprecated.`);
  }
  const successor = definition.successor ?? versions.find((one) => one > version);
  if (successor !== undefined && (!versions.includes(successor) || successor === version)) {
    throw new StartError(
      `${where}: its successor ${successor} is no other version of the API. It has: ${versions.join(', ')}.`,
    );
  }
  return Object.freeze({ deprecated, sunset, successor });
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function dateOf(text: string | undefined, where: string): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(text);
  // Of the 30th of February, JavaScript makes a day in March.
  const isDay =
    !Number.isNaN(date.valueOf()) &&
    new Date(`${text.slice(0, 10)}T00:00Z`).toISOString().startsWith(text.slice(0, 10));
  if (DATE.test(text) && isDay) return date;
  throw new StartError(
    `${where} is "${text}", which is no date; write "2026-12-31" or "2026-12-31T12:00:00Z".`,
  );
}

/**
 * The fields that tell clients: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` to the same place in the
 * successor (RFC 5829).
 * @param place the path of the same resource in the successor; undefined where it has none
 */
export function lifecycleFields(
  { deprecated, sunset }: Lifecycle,
  place: string | undefined,
): readonly (readonly [name: string, value: string])[] {
  return [
    ...(deprecated === undefined
      ? []
      : [['Deprecation', `@${Math.floor(deprecated.valueOf() / 1_000)}`] as const]),
    ...(sunset === undefined ? [] : [['Sunset', sunset.toUTCString()] as const]),
    ...(place === undefined ? [] : [['Link', `<${place}>; rel="successor-version"`] as const]),
  ];
}
