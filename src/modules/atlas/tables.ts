import type { Kysely } from 'kysely';

/** What handwritten code reads from the tables. */
interface Tables {
  readonly countries: {
    readonly country_code: string;
    readonly latitude: number;
    readonly longitude: number;
  };
  readonly visits: { readonly username: string };
}

export type AtlasDatabase = Kysely<Tables>;

/** The container name of the Kysely instance. */
export const ATLAS_DATABASE = 'database:atlas';
