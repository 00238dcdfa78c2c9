import { defaultMember } from '../../../introspection/column-default';
import type { ColumnModel, ColumnType } from '../../../introspection/table-model';
import { nativeTypes } from '../../../schema/native-types';

/** A column as {@link INTROSPECTION} returns it. */
export interface ColumnRow {
  readonly name: string;
  readonly declared: string;
  /** The name of the type in `pg_type`, of the elements of an array, without domains. */
  readonly type: string;
  /** -1 without a length or precision. */
  readonly typmod: number;
  readonly is_array: boolean;
  /** That an array is declared with; 0 for a domain. Not of results. */
  readonly dimensions?: number;
  readonly labels: readonly string[] | null;
  /** The enum as SQL, of a domain over it. Not of results, which are not compared. */
  readonly enum_type?: string | null;
  readonly domain_checks: readonly string[];
  /** Whether its collation, if it has one, has no equal texts of different characters. */
  readonly is_deterministic: boolean;
  readonly is_nullable: boolean;
  readonly default: string | null;
  readonly is_identity: boolean;
  readonly is_computed: boolean;
  readonly comment: string | null;
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'bigint',
  float4: 'number',
  float8: 'number',
  numeric: 'decimal',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  name: 'text',
  citext: 'text',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'json',
  bytea: 'binary',
  money: 'decimal',
  ...Object.fromEntries([...nativeTypes].map((name) => [name, 'native'])),
};

/** Types of which the kind of values says too little. */
const hasBase = (name: string): boolean => nativeTypes.has(name) || BASES.has(name);
const BASES: ReadonlySet<string> = new Set(['money', 'citext', 'name', 'bpchar']);

/** Bytes of the header in the length of a type. */
const HEADER = 4;

export function columnModel(row: ColumnRow): ColumnModel {
  const { labels, comment, enum_type: enumType = null, dimensions = 0 } = row;
  const generated = row.is_computed ? 'always' : row.is_identity ? 'identity' : undefined;
  return {
    type: labels === null ? (TYPES[row.type] ?? 'other') : 'text',
    ...(row.is_array ? { isArray: true } : {}),
    ...(row.is_array && dimensions > 1 ? { dimensions } : {}),
    declared: row.declared,
    ...(labels === null && hasBase(row.type) ? { base: row.type } : {}),
    ...(enumType === null ? {} : { enumType }),
    ...(row.is_deterministic ? {} : { isNondeterministic: true }),
    isNullable: row.is_nullable,
    // The expression of a computed column, or the sequence of an identity.
    ...(generated === undefined ? defaultMember(row.default, row.is_nullable) : {}),
    ...(generated === undefined ? {} : { generated }),
    ...limitsOf(row),
    ...(labels === null ? {} : { values: labels }),
    ...(comment === null ? {} : { comment }),
  };
}

/** Whether texts of a column are equal only if their characters are: not with padding, and not without case. */
export function comparesExactly({ type }: ColumnRow): boolean {
  return type !== 'bpchar' && type !== 'citext';
}

function limitsOf({ type, typmod }: ColumnRow): Pick<ColumnModel, 'maxLength' | 'precision' | 'scale'> {
  if (typmod < HEADER) return {};
  const length = typmod - HEADER;
  if (type === 'varchar' || type === 'bpchar') return { maxLength: length };
  if (type !== 'numeric' && type !== 'money') return {};
  // The scale has 11 bits with a sign.
  return { precision: (length >> 16) & 0xffff, scale: ((length & 0x7ff) ^ 0x400) - 0x400 };
}
