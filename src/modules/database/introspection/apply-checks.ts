import { type ColumnCheck, mergeChecks, parseCheckClause } from './check-clause';
import type { ColumnConstraints, ColumnModel, ColumnType } from './table-model';

type Columns = Readonly<Record<string, ColumnModel>>;

/** The types whose values have one notation in JSON: decimals are texts, of which several are the same number. */
const ENUMERABLE = new Set<ColumnType>(['integer', 'number', 'text']);

const NUMERIC = new Set<ColumnType>(['integer', 'bigint', 'number', 'decimal']);
const TEXT_KEYWORDS = new Set<string>(['minLength', 'maxLength', 'pattern']);

/** What CHECK clauses say, by column; a column may occur several times. */
export function checksIn(
  clauses: readonly string[],
): readonly (readonly [column: string, check: ColumnCheck])[] {
  return clauses.flatMap((clause) => [...parseCheckClause(clause)]);
}

/**
 * Adds the constraints of CHECK clauses to the columns that they are about.
 *
 * @param comparesExactly whether texts of a column are equal only if their characters are
 */
export function applyChecks(
  columns: Columns,
  checksOfColumns: ReturnType<typeof checksIn>,
  comparesExactly: (column: string) => boolean,
): Columns {
  const checks = new Map<string, ColumnCheck>();
  for (const [written, check] of checksOfColumns) {
    const name = columnNamed(columns, written);
    if (name === undefined) continue;
    const other = checks.get(name);
    checks.set(name, other === undefined ? check : mergeChecks(other, check));
  }
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const check = checks.get(name);
      return [name, check === undefined ? column : withCheck(column, check, comparesExactly(name))];
    }),
  );
}

/** The column of an identifier, which may be written in another case. */
function columnNamed(columns: Columns, written: string): string | undefined {
  if (Object.hasOwn(columns, written)) return written;
  return Object.keys(columns).find((name) => name.toLowerCase() === written.toLowerCase());
}

/** The column with what suits its type. */
function withCheck(column: ColumnModel, check: ColumnCheck, isExact: boolean): ColumnModel {
  if (column.isArray) return column;
  const isText = column.type === 'text';
  if (!NUMERIC.has(column.type) && !(isText && isExact)) return column;
  const entries = Object.entries(check.constraints).filter(
    ([keyword]) => TEXT_KEYWORDS.has(keyword) === isText,
  );
  const constraints: ColumnConstraints = Object.fromEntries(entries);
  const isSuitable =
    ENUMERABLE.has(column.type) &&
    (check.values?.every((value) => typeof value === (isText ? 'string' : 'number')) ?? false);
  return {
    ...column,
    ...(entries.length === 0 ? {} : { constraints }),
    ...(check.values === undefined || !isSuitable ? {} : { values: check.values }),
  };
}
