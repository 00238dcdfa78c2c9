import { UploadedFile } from '../../content-negotiation';
import type { Dialect, SqlValue } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { bytesOfText } from '../adapters/postgres/postgres-driver';
import { convertsNumbers } from '../adapters/sqlite/schema/column-type';
import { isStorable, numberParameter } from '../adapters/storable-value';
import type { ColumnModel } from '../introspection/table-model';
import { arrayLiteral, jsonDepth } from './array-literal';
import {
  canonical,
  isBeyondYears,
  shortestDecimal,
  toJsonTimestamp,
  zuluTimestamp,
} from './canonical-notation';
import { formatExactJson, hasRoundedNumber, parseExactJson } from './exact-json';
import { isKeptText } from './exact-texts';
import { isoDuration } from './native-types';

/** Converts values of a column between JSON and the database. */
export interface ColumnCodec {
  /** Converts a selected value; undefined if it is the JSON value already. */
  readonly fromRow: ((value: unknown) => unknown) | undefined;
  /** Converts a validated JSON value to a parameter. @throws DatabaseError for one that the database cannot store */
  readonly toParameter: (value: unknown) => SqlValue;
}

/** SQLite stores any value: all numbers but 0 are true to it, and other programs write texts. */
const asBoolean = (value: unknown): boolean =>
  typeof value === 'string' ? /^t(?:rue)?$/i.test(value) : Number(value) !== 0;
const asJson = (value: unknown, column?: string): unknown =>
  typeof value === 'string' ? parseExactJson(value, column) : value;
/** Of an array, which is selected as JSON: `NaN` and infinite numbers are texts there. */
const asNumber = (value: unknown): unknown => (typeof value === 'number' ? value : Number(value));
/** SQLite stores texts and numbers in columns of bytes, too: numbers as in JSON, so that 7.0, whose CAST is `7.0`, is `7`. */
const asBase64 = (value: unknown): unknown =>
  (value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length)
    : Buffer.from(asText(value))
  ).toString('base64');
/** Of an array, which is selected as JSON. */
const asBase64Item = (value: unknown): unknown => bytesOfText(asText(value)).toString('base64');
/** A decimal without an exponent, as the schema of the column describes it. */
const asDecimal = (value: unknown): string => {
  const text = asText(value);
  const [mantissa = '', exponent] = text.split('e');
  if (typeof value !== 'number' || exponent === undefined) return text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const fraction = (mantissa.split('.')[1] ?? '').length - Number(exponent);
  return value.toFixed(Math.min(fraction, MAX_FRACTION));
};
/** The most digits after the point that a number can be formatted with. */
const MAX_FRACTION = 100;
/** Values of columns are scalars: drivers return no objects, except for bytes. */
const asText = (value: unknown): string => String(value);

const fromRow: Partial<Record<ColumnModel['type'], (value: unknown) => unknown>> = {
  boolean: asBoolean,
  binary: asBase64,
  bigint: asText,
  decimal: asDecimal,
  other: asText,
};

/** Of items of arrays, where they are not those of single values. */
const itemReaders: typeof fromRow = { number: asNumber, binary: asBase64Item };

/** Converts a selected value to JSON; undefined for a type whose values are returned as they are. */
function readerOf(
  name: string,
  { type, base, declared }: ColumnModel,
  dialect: Dialect,
): ((value: unknown) => unknown) | undefined {
  if (type === 'json') return (value) => asJson(value, name);
  if (base === 'interval') return (value) => isoDuration(asText(value));
  if (dialect === 'sqlite' && (type === 'timestamp' || type === 'timestamptz'))
    return (value) => (typeof value === 'string' ? toJsonTimestamp(value, type) : value);
  if (dialect === 'sqlite' && type === 'text' && convertsNumbers(declared)) return asText;
  if (type === 'timestamptz') return (value) => zuluTimestamp(asText(value));
  return fromRow[type];
}

/** Arrays are selected as JSON text. */
function arrayReader(item: ((value: unknown) => unknown) | undefined): (value: unknown) => unknown {
  return (value) => {
    const items = asJson(value);
    if (item === undefined || !Array.isArray(items)) return items;
    // Arrays of several dimensions are lists of lists.
    return (items as readonly unknown[]).map((one) =>
      one === null ? null : Array.isArray(one) ? arrayReader(item)(one) : item(one),
    );
  };
}

/** Returns the codec of a column. */
export function columnCodec(name: string, model: ColumnModel, dialect: Dialect): ColumnCodec {
  const { type, isArray } = model;
  const reader = (isArray === true ? itemReaders[type] : undefined) ?? readerOf(name, model, dialect);
  // The items of an array of JSON are JSON already.
  const read = isArray === true ? arrayReader(type === 'json' ? undefined : reader) : reader;
  return {
    fromRow: read === undefined ? undefined : (value) => (value === null ? null : read(value)),
    toParameter: (value) => {
      if (value === null && hasJsonNull(model)) return 'null';
      if (value === null || value === undefined) return null;
      const parameter =
        isArray === true
          ? arrayLiteral(
              type === 'binary' ? hexItems(value) : value,
              model.base === 'box' ? ';' : ',',
              type === 'json' ? jsonDepth(value, (model.dimensions ?? 1) - 1) : Infinity,
            )
          : parameterOf(value, type, dialect);
      const isKept =
        type === 'json'
          ? !hasFile(value) && !hasRoundedNumber(value)
          : isEach(isArray === true || type === 'binary' || type === 'decimal' ? value : parameter, (one) =>
              isExact(one, model, dialect),
            );
      if (isName(model) && !isEach(value, (one) => Buffer.byteLength(one) <= MAX_NAME))
        throw new DatabaseError('too_long', `The column ${name} has at most ${MAX_NAME} bytes.`, {
          columns: [name],
        });
      if (isKept && isStorable(parameter)) return parameter;
      throw new DatabaseError('invalid_value', `The column ${name} cannot have this value.`, {
        columns: [name],
      });
    },
  };
}

/** Whether null in a request is that of JSON: a column that is NOT NULL has no other. */
export function hasJsonNull({ type, isArray = false, isNullable }: ColumnModel): boolean {
  return type === 'json' && !isArray && !isNullable;
}

/** Whether a value is a file of a form, or a list with one: JSON would have its name and size, without its content. */
function hasFile(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasFile) : value instanceof UploadedFile;
}

/** Bytes of a `name` of PostgreSQL, which cuts off the others (8.3). */
const MAX_NAME = 63;

/** Whether texts of a column are cut off. The base of a domain is not in older snapshots. */
function isName({ base, declared }: ColumnModel): boolean {
  return base === 'name' || declared === 'name' || declared === 'name[]';
}

/** Whether a condition holds for a text, or for each text in an array of any dimensions. */
function isEach(value: unknown, condition: (text: string) => boolean): boolean {
  if (Array.isArray(value)) return value.every((one) => isEach(one, condition));
  return typeof value !== 'string' || condition(value);
}

const LEAP_SECOND = /:60(?:\.\d*)?(?:[Zz]|[+-][\d:]+)?$/;

/** Whether a time has a second that PostgreSQL moves to the next minute, with any offset. */
export function hasLeapSecond(text: string): boolean {
  return LEAP_SECOND.test(text);
}

const BIGINT = /^-?\d{1,19}$/;

/** Whether a column keeps every digit of a value, and every instant in one notation. */
function isExact(value: string, { type, base, declared }: ColumnModel, dialect: Dialect): boolean {
  if (type === 'bigint') return isInt64(value);
  if (type === 'text') return dialect !== 'sqlite' || isKeptText(value, declared);
  // Decoders ignore bits of the last character that no byte has, and characters of no value (RFC 4648, 3.5 and 12).
  if (type === 'binary') return bytesOf(value).toString('base64') === value;
  const isTimestamp = type === 'timestamp' || type === 'timestamptz';
  if (isTimestamp && isBeyondYears(value)) return false;
  if (isTimestamp || type === 'time' || base === 'timetz')
    return dialect === 'sqlite' || !hasLeapSecond(value);
  // SQLite stores decimals as integers of 64 bits, or else as binary numbers (Datatypes In SQLite, 3.1).
  return type !== 'decimal' || dialect !== 'sqlite' || isInt64(value) || isDecimalOfDouble(value);
}

function isInt64(text: string): boolean {
  return BIGINT.test(text) && isStorable(BigInt(text));
}

/** Whether a decimal is read from a double as it was written, except for zeros that change nothing. */
function isDecimalOfDouble(text: string): boolean {
  return !/[1-9]/.test(text) || shortestDecimal(asDecimal(Number(text))) === shortestDecimal(text);
}

/** A decimal with more digits than SQLite keeps of a text that it converts to a binary number (Datatypes In SQLite, 3.1). */
function isLongDecimal(text: string): boolean {
  return /^-?\d+\.\d+$/.test(text) && text.length > 15;
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(String(value), 'base64');
}

/** Base64 in an array of any dimensions as PostgreSQL reads bytes (8.4). */
function hexItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hexItems);
  return value === null ? null : `\\x${bytesOf(value).toString('hex')}`;
}

function parameterOf(value: unknown, type: ColumnModel['type'], dialect: Dialect): SqlValue {
  if (type === 'json') return formatExactJson(value);
  if (type === 'binary') return bytesOf(value);
  if (typeof value === 'boolean') return dialect === 'sqlite' ? Number(value) : String(value);
  const text = typeof value === 'string' ? canonical(value, type, dialect) : String(value);
  // Any other text is not storable.
  if (type === 'bigint' && dialect === 'sqlite' && BIGINT.test(text)) return BigInt(text);
  if (type === 'decimal' && dialect === 'sqlite' && isLongDecimal(text)) return numberParameter(Number(text));
  if (typeof value === 'number') return numberParameter(value);
  return typeof value === 'bigint' ? value : text;
}

/** Converts a selected value back to a parameter, to compare it in a statement. */
export function rawParameter(value: unknown): SqlValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberParameter(value);
  if (value === null || typeof value === 'bigint' || value instanceof Uint8Array) return value;
  return asText(value);
}
