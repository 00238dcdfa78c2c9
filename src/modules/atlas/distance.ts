import { Type, type Static } from '@sinclair/typebox';
import { Problem } from '../../framework';
import type { AtlasDatabase } from './tables';

const code = (description: string, example: string) =>
  Type.String({ pattern: '^[A-Za-z]{2}$', description, examples: [example] });

export const distanceQuery = Type.Object({
  from: code('ISO 3166-1 alpha-2 code of the country to measure from.', 'DE'),
  to: code('ISO 3166-1 alpha-2 code of the country to measure to.', 'FR'),
});

export const distanceResponse = Type.Object({
  from: Type.String({ description: 'The country measured from.', examples: ['DE'] }),
  to: Type.String({ description: 'The country measured to.', examples: ['FR'] }),
  kilometres: Type.Number({
    description: 'Along the great circle between the centres of the countries.',
    examples: [757.7],
  }),
});

/** The mean radius of the earth in kilometres (IUGG). */
const EARTH_RADIUS = 6371.0088;

/** Kilometres between two points along the great circle, by the haversine formula. */
export function greatCircle(
  from: { readonly latitude: number; readonly longitude: number },
  to: { readonly latitude: number; readonly longitude: number },
): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;
  const north = haversine(radians(to.latitude - from.latitude));
  const east = haversine(radians(to.longitude - from.longitude));
  const square = north + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * east;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** The container name of the handler. */
export const DISTANCE_HANDLER = 'Atlas.Distance';

export type DistanceQuery = Static<typeof distanceQuery>;

interface Place {
  readonly country_code: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** The procedure `Distance`. */
export async function distance(
  database: AtlasDatabase,
  query: DistanceQuery,
): Promise<Static<typeof distanceResponse>> {
  const places = await database
    .selectFrom('countries')
    .select(['country_code', 'latitude', 'longitude'])
    .where('country_code', 'in', [query.from, query.to])
    .execute();
  const from = placeOf(places, 'from', query.from);
  const to = placeOf(places, 'to', query.to);
  const kilometres = Math.round(greatCircle(from, to) * 10) / 10;
  return { from: from.country_code, to: to.country_code, kilometres };
}

/** @throws Problem 400 for an unknown code */
function placeOf(places: readonly Place[], parameter: string, code: string): Place {
  const place = places.find(({ country_code }) => country_code === code.toUpperCase());
  if (place !== undefined) return place;
  throw new Problem(400, `Country "${code}" does not exist.`, {
    extensions: { errors: [{ parameter, message: 'must be the ISO 3166-1 alpha-2 code of a country' }] },
  });
}
