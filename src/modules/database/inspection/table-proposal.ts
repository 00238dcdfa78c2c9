import { isDeepStrictEqual } from 'node:util';
import { isPageMember } from '../../hosting';
import type { Dialect } from '../adapters/database-adapter';
import { partsOfName } from '../adapters/postgres/qualified-name';
import type { ColumnModel, TableModel } from '../introspection/table-model';
import { filterOperators, needsText, type FilterOperator } from '../query/filters/filter-operators';
import { canIdentify, hasNoOrder } from '../schema/column-order';
import { isReadOnly } from '../schema/column-schema';

/** What a service over a table can be, and what is proposed. */
export interface TableProposal {
  /** `Product` for the table `products`. */
  readonly name: string;
  /** With the identifier: `/products[/:id]`. */
  readonly route: string;
  readonly collectionName: string;
  readonly description: string;
  /** The proposed identifier; empty if the table has no key. */
  readonly identifier: readonly string[];
  /** The keys that can identify an entity; any column of a view. */
  readonly identifiers: readonly (readonly string[])[];
  readonly columns: readonly ProposedColumn[];
  /** Views are only read. */
  readonly isWritable: boolean;
}

export interface ProposedColumn {
  readonly name: string;
  readonly model: ColumnModel;
  /** Whether clients see it by default: not if its name is that of a secret. */
  readonly isIncluded: boolean;
  /** Whether clients can never write it. */
  readonly isReadOnly: boolean;
  /** The filters that its type has. */
  readonly operators: readonly FilterOperator[];
  /** The proposed filters: those that an index serves. */
  readonly filters: readonly FilterOperator[];
  /** Whether an index serves an order by the column. */
  readonly isSorted: boolean;
}

const SECRET =
  /pass(word|phrase|wd)?|pwd|secret|token|salt|hash|credential|(api|private|access|encryption|signing)[-_ ]?key/i;
const EQUALITY: readonly FilterOperator[] = ['eq', 'in'];
const RANGE: readonly FilterOperator[] = ['gte', 'lte'];

/** Proposes a service over a table: all columns but secrets, and the filters and orders that its indexes serve. */
export function proposeService(table: TableModel, dialect: Dialect = 'postgres'): TableProposal {
  // In SQLite, dots are part of the name.
  const ownName = (dialect === 'sqlite' ? undefined : partsOfName(table.name).at(-1)) ?? table.name;
  const words = ownName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const path = words.join('-').toLowerCase() || 'entities';
  const collectionName = path.replaceAll('-', '_');
  const identifiers = identifiersOf(table);
  const identifier = identifiers.find((one) => one.length > 0) ?? [];
  return {
    name: serviceName(words),
    route: `/${path}${identifier.length === 0 ? '' : `[/:${parameterNames(identifier).join('/:')}]`}`,
    collectionName: isPageMember(collectionName) ? 'items' : collectionName,
    description: table.comment ?? '',
    identifier,
    identifiers,
    columns: Object.entries(table.columns).map(([name, model]) => proposedColumn(name, model, table)),
    isWritable: table.kind === 'table',
  };
}

/**
 * The parameters of a route for columns: their names, where a parameter can have them.
 *
 * @example
 * parameterNames(['shop', 'Staff ID']) // ['shop', 'staff_id']
 */
export function parameterNames(columns: readonly string[]): readonly string[] {
  const isParameter = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
  const taken = columns.filter(isParameter);
  return columns.map((column) => {
    if (isParameter(column)) return column;
    const words = column.toLowerCase().match(/[a-z0-9]+/g) ?? ['id'];
    const name = words.join('_').replace(/^(?=\d)/, '_');
    const free = [name, ...columns.map((_, at) => `${name}_${at + 2}`)].find((one) => !taken.includes(one));
    taken.push(free ?? name);
    return free ?? name;
  });
}

function proposedColumn(name: string, model: ColumnModel, table: TableModel): ProposedColumn {
  const operators = operatorsOf(model);
  const isIndexed = table.indexes.some(([first]) => first === name);
  return {
    name,
    model,
    isIncluded: !SECRET.test(name) && model.type !== 'other',
    isReadOnly: table.kind === 'view' || isReadOnly(model, {}),
    operators,
    filters: isIndexed ? proposedFilters(model).filter((one) => operators.includes(one)) : [],
    isSorted: operators.length > 0 && hasOrder(name, table),
  };
}

/** The filters that values of a column have. */
function operatorsOf(model: ColumnModel): readonly FilterOperator[] {
  const { type, isNullable } = model;
  if (hasNoOrder(model)) return [];
  return filterOperators.filter((operator) => {
    if (operator === 'is') return isNullable;
    if (needsText(operator)) return type === 'text';
    return type !== 'boolean' || operator === 'eq';
  });
}

function proposedFilters({ type, values }: ColumnModel): readonly FilterOperator[] {
  if (values !== undefined || type === 'uuid') return EQUALITY;
  if (type === 'text') return [...EQUALITY, 'starts'];
  return type === 'boolean' ? ['eq'] : [...EQUALITY, ...RANGE];
}

/** Orders end with the key: an index on the column and the key serves them, and a unique one of a column that is never null. */
function hasOrder(name: string, { indexes, unique, primaryKey, columns }: TableModel): boolean {
  const isOnly = (one: readonly string[]): boolean => one.length === 1 && one[0] === name;
  if (isOnly(primaryKey)) return true;
  if (unique.some(isOnly) && columns[name]?.isNullable === false) return true;
  return indexes.some((one) => one[0] === name && primaryKey.every((key, at) => one[at + 1] === key));
}

function identifiersOf({ kind, primaryKey, unique, columns }: TableModel): readonly (readonly string[])[] {
  const isKey = (name: string): boolean => columns[name] !== undefined && canIdentify(columns[name]);
  if (kind === 'view') {
    const names = Object.keys(columns);
    // A column that is called like a key comes first.
    return [...names.filter((name) => name === 'id'), ...names.filter((name) => name !== 'id')]
      .filter(isKey)
      .map((name) => [name]);
  }
  const keys = [primaryKey, ...unique].filter((one) => one.length > 0 && one.every(isKey));
  return keys.filter((one, at) => keys.findIndex((other) => isDeepStrictEqual(other, one)) === at);
}

/** `order_lines` → `OrderLine` */
function serviceName(words: readonly string[]): string {
  const name = words
    .map((word, at) => capitalized(at === words.length - 1 ? singular(word) : word))
    .join('')
    .replace(/^[^A-Za-z]+/, '');
  return name === '' ? 'Entity' : name;
}

function capitalized(word: string): string {
  const lower = word === word.toUpperCase() ? word.toLowerCase() : word;
  return lower.slice(0, 1).toUpperCase() + lower.slice(1);
}

function singular(word: string): string {
  if (/[^aeiou]ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/(ss|x|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) && !/(us|is)$/i.test(word) ? word.slice(0, -1) : word;
}
