import type { ColumnModel, ColumnType } from '../../../introspection/table-model';

/** Declared types without their length, in the order of preference, and what their values are. */
const TYPES: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/^(?:(?:unsigned )?(?:bigint|int8)(?: unsigned)?|unsigned big int)$/, 'bigint'],
  [/^(?:unsigned )?(?:tiny|small|medium)?int(?:eger|2|4)?(?: unsigned)?$/, 'integer'],
  [/^bool(?:ean)?$/, 'boolean'],
  [/^(?:real|double(?: precision)?|float)$/, 'number'],
  [/^(?:numeric|decimal)$/, 'decimal'],
  [
    /^(?:\w+ )*(?:n?(?:var)?char(?:acter)?|(?:n|tiny|medium|long)?text|clob|nvarchar|string)(?: varying)?$/,
    'text',
  ],
  [/^date$/, 'date'],
  [/^time$/, 'time'],
  [/^(?:timestamptz|timestamp with time zone)$/, 'timestamptz'],
  [/^(?:datetime|timestamp(?: without time zone)?)$/, 'timestamp'],
  [/^(?:uuid|guid)$/, 'uuid'],
  [/^jsonb?$/, 'json'],
  [/^(?:(?:tiny|medium|long)?blob|(?:var)?binary)$/, 'binary'],
];

/**
 * What the declared type of a column says. SQLite stores any value in any column, and enforces no length: the
 * declaration is taken as the intent. Columns without a type, such as computed ones of views, and columns of unknown
 * types are `other`, since their values have no one type.
 */
export function columnType(
  declared: string,
): Pick<ColumnModel, 'type' | 'maxLength' | 'precision' | 'scale'> {
  const [, name = '', first, second] =
    /^([^(]*)(?:\( *(\d+) *(?:, *(\d+) *)?\))?/.exec(declared.toLowerCase()) ?? [];
  const type = TYPES.find(([pattern]) => pattern.test(name.trim().replaceAll(/\s+/g, ' ')))?.[1] ?? 'other';
  if (first === undefined) return { type };
  if (type === 'text') return { type, maxLength: Number(first) };
  if (type === 'decimal') return { type, precision: Number(first), scale: Number(second ?? 0) };
  return { type };
}

/** Whether a column converts texts that read as numbers, such as one of the type STRING (Datatypes In SQLite, 3.1). */
export function convertsNumbers(declared: string): boolean {
  return /int/i.test(declared) || (declared !== '' && !/char|clob|text|blob/i.test(declared));
}

/** Whether a column compares values as they are, such as the result of an expression in a view: never a number and a text. */
function convertsNothing(declared: string): boolean {
  return declared === '' || (/blob/i.test(declared) && !/int|char|clob|text/i.test(declared));
}

/** Whether a column has values of unknown types, which it compares as they are. */
export function isUntyped({ type, declared, base }: ColumnModel): boolean {
  return type === 'other' && (base === 'any' || convertsNothing(declared));
}
