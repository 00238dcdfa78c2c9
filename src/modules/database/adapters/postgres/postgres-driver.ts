import type * as Pg from 'pg';
import { requirePackage } from '../../../../framework';

/** Loads the driver at the first use. @throws ConfigurationError if it is not installed */
export function postgresDriver(): typeof Pg {
  return requirePackage('pg', 'PostgresAdapter') as typeof Pg;
}

const asNumber = (text: string): number => Number(text);
const asText = (text: string): string => text;

/** The bytes of a text in either notation of the setting `bytea_output`: `\x00ff`, or `\000\377` (8.4). */
export function bytesOfText(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const characters = text.replace(/\\(?:\\|([0-7]{3}))/g, (_, code: string | undefined) =>
    code === undefined ? '\\' : String.fromCharCode(parseInt(code, 8)),
  );
  return Buffer.from(characters, 'latin1');
}

/** Parsers by type: `bool`, `bytea`, `int2`, `int4`, `oid`, `float4`, `float8`. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: bytesOfText,
  21: asNumber,
  23: asNumber,
  26: asNumber,
  700: asNumber,
  701: asNumber,
};

/**
 * The conversion of values: booleans, bytes, and numbers that JavaScript represents exactly. All others, also `int8`,
 * `numeric`, dates, JSON and arrays, stay the text of PostgreSQL: the codec of their column converts them.
 */
export const VALUE_TYPES: Pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => PARSERS[oid] ?? asText,
};
