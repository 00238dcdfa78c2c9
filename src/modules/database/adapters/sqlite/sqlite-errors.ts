import type { FailedRule } from './schema/failed-rule';
import { unquote } from './schema/table-sql';
import { DatabaseError, type DatabaseErrorKind } from '../database-error';
import { failureOf, isUnreadable, TOO_LARGE } from './sqlite-failure';

/** Primary result codes (https://sqlite.org/rescode.html); those of constraints are decided by the extended one. */
const PRIMARY_CODES: Readonly<Record<number, DatabaseErrorKind>> = {
  5: 'unavailable', // BUSY
  6: 'unavailable', // LOCKED
  7: 'unavailable', // NOMEM
  8: 'unwritable', // READONLY
  9: 'timeout', // INTERRUPT
  10: 'unavailable', // IOERR
  11: 'unavailable', // CORRUPT
  13: 'unwritable', // FULL
  14: 'unavailable', // CANTOPEN
  15: 'unavailable', // PROTOCOL
  17: 'schema', // SCHEMA
  18: 'too_long', // TOOBIG
  20: 'invalid_value', // MISMATCH
  23: 'unavailable', // AUTH
  25: 'schema', // RANGE: more parameters than placeholders
  26: 'unavailable', // NOTADB
};

/** The extended result code of `RAISE`. */
const TRIGGER = 1811;

/** Extended result codes of constraints. */
const CONSTRAINT_CODES: Readonly<Record<number, DatabaseErrorKind>> = {
  275: 'check',
  787: 'foreign_key',
  [TRIGGER]: 'check', // RAISE, a rule of the database
  1299: 'not_null',
  1555: 'unique', // PRIMARY KEY
  2067: 'unique',
  2579: 'unique', // ROWID
  3091: 'invalid_value', // STRICT tables
};

const DECLARE_BIGINT = '. Declare its column as BIGINT, whose values are strings of digits in JSON.';

/** The same by message, for drivers without codes. The group `names` names columns, or the constraint. */
const MESSAGES: readonly (readonly [pattern: RegExp, kind: DatabaseErrorKind])[] = [
  [/^UNIQUE constraint failed: (?<names>.+)$/s, 'unique'],
  [/^PRIMARY KEY must be unique/, 'unique'],
  [/^NOT NULL constraint failed: (?<names>.+)$/s, 'not_null'],
  [/^FOREIGN KEY constraint failed/, 'foreign_key'],
  [/^CHECK constraint failed: (?<constraint>.+)$/s, 'check'],
  [/^cannot store \w+ value in \w+ column (?<names>.+)$/s, 'invalid_value'],
  [/^datatype mismatch/, 'invalid_value'],
  [/^integer overflow/, 'invalid_value'],
  // A stored integer beyond 2^53.
  [new RegExp(`^${TOO_LARGE}`), 'unreadable'],
  // Stored bytes in a column of another type.
  [/^JSON cannot hold BLOB values|^malformed JSON/, 'unreadable'],
  [/^string or blob too big/, 'too_long'],
  [/^interrupted/, 'timeout'],
  [/^database (?:table |schema )?is locked|^locking protocol/, 'unavailable'],
  [/^unable to open|^disk I\/O error|^out of memory/, 'unavailable'],
  [/^database or disk is full|^attempt to write a readonly database/, 'unwritable'],
  [/^file is not a database|^database disk image is malformed/, 'unavailable'],
  [
    /^no such (?:table|column|function|index|view)|has no column named|^cannot (?:modify|UPDATE|INSERT)/,
    'schema',
  ],
  [
    /^foreign key mismatch|values for \d+ columns|has \d+ columns but \d+ values|^column index out of range/,
    'schema',
  ],
];

/**
 * Converts an error of the driver.
 *
 * @param rule finds the rule of the database that failed
 */
export function toDatabaseError(
  error: unknown,
  rule?: Pick<FailedRule, 'columnsOf' | 'indexOf' | 'isRaised' | 'reportedColumns'>,
): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { message, errcode } = failureOf(error);
  const [groups, byMessage] = matchMessage(message);
  // Foreign keys with RESTRICT are triggers of SQLite itself.
  const code = errcode === TRIGGER && byMessage === 'foreign_key' ? undefined : errcode;
  const kind = byCode(code) ?? byMessage ?? (rule?.isRaised(message) === true ? 'check' : 'unknown');
  const constraint = kind === 'check' ? groups.constraint : undefined;
  const quoted = /^index ('.+')$/s.exec(groups.names ?? '')?.[1];
  const index = quoted === undefined ? undefined : rule?.indexOf(unquote(quoted));
  const columns =
    constraint !== undefined
      ? rule?.columnsOf(constraint)
      : quoted !== undefined
        ? index?.columns
        : columnNames(groups.names, rule);
  const text = isUnreadable({ message }) ? message + DECLARE_BIGINT : message;
  return new DatabaseError(kind, text, {
    columns: columns ?? [],
    constraint,
    expression: index?.key,
    cause: error,
  });
}

function byCode(code: number | undefined): DatabaseErrorKind | undefined {
  return code === undefined ? undefined : (CONSTRAINT_CODES[code] ?? PRIMARY_CODES[code & 0xff]);
}

function matchMessage(
  message: string,
): readonly [groups: Readonly<Record<string, string | undefined>>, kind: DatabaseErrorKind | undefined] {
  for (const [pattern, kind] of MESSAGES) {
    const match = pattern.exec(message);
    if (match) return [match.groups ?? {}, kind];
  }
  return [{}, undefined];
}

/** The columns of `products.maker, products.name`. */
function columnNames(
  names: string | undefined,
  rule: Pick<FailedRule, 'reportedColumns'> | undefined,
): readonly string[] {
  if (names === undefined) return [];
  const parts = names.split(', ').map((name) => name.split('.'));
  // Other names have dots or commas in them: only the tables tell where they end.
  const isPlain = parts.every(({ length }) => length === 2);
  return (isPlain ? undefined : rule?.reportedColumns(names)) ?? parts.map((part) => part.at(-1) ?? '');
}
