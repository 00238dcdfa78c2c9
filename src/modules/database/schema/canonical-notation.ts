import { withoutEndZeros } from '../../../framework';
import type { Dialect } from '../adapters/database-adapter';
import { convertsNumbers } from '../adapters/sqlite/schema/column-type';
import type { ColumnModel, ColumnType } from '../introspection/table-model';

/** Date, time and offset of ISO 8601 and RFC 3339, in any of the notations that the formats allow. */
const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;
const TIME = /^(\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?$/;
const UUID = /^(?:urn:uuid:)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** `2026-01-31 10:30:00.5`, in UTC: what `CURRENT_TIMESTAMP` of SQLite writes, so that texts have the order of time. */
const STORED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/;

/**
 * Types of which SQLite stores values that no request can have: texts, which it compares as such, in other notations,
 * numbers with more digits, and values of other types.
 */
const TYPES: ReadonlySet<ColumnType> = new Set([
  'boolean',
  'integer',
  'bigint',
  'number',
  'decimal',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'uuid',
  'binary',
  'other',
]);

/** Whether the position of a row in an order has the values of a type as they are stored, and not those of JSON. */
export function hasStoredPosition({ type, declared }: ColumnModel, dialect: Dialect): boolean {
  return dialect === 'sqlite' && (TYPES.has(type) || (type === 'text' && convertsNumbers(declared)));
}

/** The notation in which a value is stored, and compared in filters. Any other text is returned as it is. */
export function canonical(text: string, type: ColumnType, dialect: Dialect): string {
  switch (type) {
    case 'uuid':
      return UUID.exec(text)?.[1]?.toLowerCase() ?? text;
    case 'timestamp':
      return utcTimestamp(text);
    case 'timestamptz':
      return dialect === 'sqlite' ? utcTimestamp(text) : text;
    case 'time': {
      const [, time, fraction] = TIME.exec(text) ?? [];
      return time === undefined || dialect !== 'sqlite' ? text : time + fractionOf(fraction);
    }
    default:
      return text;
  }
}

/** A stored timestamp of SQLite as JSON has it (RFC 3339); one in another notation is returned as it is. */
export function toJsonTimestamp(text: string, type: ColumnType): string {
  const [, date, time] = STORED.exec(text) ?? [];
  return date === undefined || time === undefined
    ? text
    : `${date}T${time}${type === 'timestamptz' ? 'Z' : ''}`;
}

/** An instant as PostgreSQL writes it in JSON, in UTC with `Z`; `infinity` and years before Christ stay as they are. */
export function zuluTimestamp(text: string): string {
  if (text.endsWith('Z')) return text;
  // In JSON of the database. Another offset if something between has changed the time zone of the session.
  return text.endsWith('+00:00')
    ? `${text.slice(0, -UTC_OFFSET_LENGTH)}Z`
    : toJsonTimestamp(utcTimestamp(text), 'timestamptz');
}

const UTC_OFFSET_LENGTH = '+00:00'.length;

function utcTimestamp(text: string): string {
  const parts = TIMESTAMP.exec(text) ?? [];
  const utc = utcMinute(parts);
  if (utc?.length !== ISO_LENGTH) return text;
  const [, , , , seconds = '', fraction] = parts;
  return `${utc.slice(0, 10)} ${utc.slice(11, 16)}:${seconds}${fractionOf(fraction)}`;
}

/** Whether an instant is before the year 0 or after 9999 in UTC, which RFC 3339 cannot express. */
export function isBeyondYears(text: string): boolean {
  const utc = utcMinute(TIMESTAMP.exec(text) ?? []);
  return utc !== undefined && utc.length !== ISO_LENGTH;
}

/** The minute of an instant in UTC, as `toISOString` writes it; undefined for any other text. */
function utcMinute([, date, hours, minutes, , , sign, offsetHours = '0', offsetMinutes = '0']: readonly (
  string | undefined
)[]): string | undefined {
  if (date === undefined || hours === undefined || minutes === undefined) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const moment = new Date(`${date}T${hours}:${minutes}:00Z`);
  // Such as a month 13, which the schema of a column may allow.
  if (Number.isNaN(moment.getTime())) return undefined;
  moment.setUTCMinutes(moment.getUTCMinutes() - offset);
  return moment.toISOString();
}

/** Years before 0 and after 9999 have another length. */
const ISO_LENGTH = 24;

/** Without zeros at its end, which change nothing. */
function fractionOf(digits = ''): string {
  const significant = withoutEndZeros(digits);
  return significant === '' ? '' : `.${significant}`;
}

/** A decimal without zeros that change nothing: `-01.50` → `-1.5`. */
export function shortestDecimal(text: string): string {
  const [whole = '', fraction] = text.split('.');
  return whole.replace(/^(-?)0+(?=\d)/, '$1') + fractionOf(fraction);
}
