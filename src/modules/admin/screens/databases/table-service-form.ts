import { listOf, memberAt, percentDecoded } from '../../../../framework';
import type { AccessRule } from '../../../mvc-auth';
import type { ProposedColumn, TableProposal } from '../../../database';
import { parseVersionNumber } from '../../../hosting';
import {
  isOperationName,
  READING,
  type OperationName,
  type TableServiceInput,
} from '../../actions/services/table-service-input';

/** A row of the table of columns in the form. */
export interface ColumnRow extends ProposedColumn {
  readonly isChosen: boolean;
  readonly isReadOnlyChosen: boolean;
  readonly isSortable: boolean;
  readonly isSortChosen: boolean;
  readonly isKey: boolean;
  /** The operators, and whether each is chosen. */
  readonly choices: readonly { readonly operator: string; readonly isChosen: boolean }[];
}

const LABELS: Readonly<Record<OperationName, string>> = {
  list: 'List entities (GET)',
  create: 'Create an entity (POST)',
  get: 'Get an entity (GET)',
  replace: 'Replace an entity (PUT)',
  patch: 'Change an entity (PATCH)',
  delete: 'Delete an entity (DELETE)',
};

export const OPERATION_CHOICES = Object.entries(LABELS).map(([value, label]) => ({
  value,
  label,
  isWrite: !READING.some((name) => name === value),
}));

/** The access rules that the form offers; others are set on the page of the API. */
export const ACCESS_CHOICES = [
  { value: '', label: 'As the API' },
  { value: 'guest', label: 'Everyone' },
  { value: 'authenticated', label: 'Signed-in users' },
] as const;

/** The choice that leaves the rules of operations as they are: different ones, or lists of names. */
export const KEPT_ACCESS = { value: 'kept', label: 'As configured for each operation' } as const;

/** The prefix of the fields with the filters of a column. */
const FILTERS = 'filters/';

/**
 * The keys that can identify an entity, as choices.
 * @param current of an existing service, which can have others: the columns of a key in any order, several of a view
 */
export function identifierChoices(
  proposed: TableProposal['identifiers'],
  current: readonly string[] = [],
): readonly { readonly value: string; readonly label: string }[] {
  const isOther =
    current.length > 0 && proposed.every((one) => identifierText(one) !== identifierText(current));
  return (isOther ? [current, ...proposed] : proposed).map((one) => ({
    value: identifierText(one),
    label: one.join(', '),
  }));
}

/** The columns of a key as the value of a choice: their names may have commas. */
export function identifierText(columns: readonly string[]): string {
  return columns.map(encodeURIComponent).join(',');
}

function identifierIn(text: string): readonly string[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((name) => percentDecoded(name) ?? name);
}

/** Reads a submitted form. Values are validated by the action. */
export function readTableService(
  form: URLSearchParams,
  { adapter, table }: Pick<TableServiceInput, 'adapter' | 'table'>,
): TableServiceInput {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const filters = new Map<string, readonly string[]>();
  for (const [name, operator] of form) {
    if (!name.startsWith(FILTERS)) continue;
    const column = name.slice(FILTERS.length);
    filters.set(column, [...(filters.get(column) ?? []), operator]);
  }
  const columns = form.getAll('columns');
  return {
    adapter,
    table,
    api: text('api'),
    version: parseVersionNumber(text('version')) ?? NaN,
    name: text('name'),
    description: text('description'),
    route: text('route'),
    identifier: identifierIn(text('identifier')),
    collectionName: text('collection_name'),
    pageSize: integer(text('page_size')),
    columns,
    // The settings of a column that is not included do not matter.
    readOnly: form.getAll('read_only').filter((name) => columns.includes(name)),
    sort: form.getAll('sort').filter((name) => columns.includes(name)),
    filters: Object.fromEntries([...filters].filter(([name]) => columns.includes(name))),
    operations: form.getAll('operations').filter(isOperationName),
    readAccess: ruleIn(text('read_access')),
    writeAccess: ruleIn(text('write_access')),
  };
}

/** NaN for text that is not a number, which is invalid. */
function integer(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}

function ruleIn(text: string): AccessRule | undefined {
  return text === 'guest' || text === 'authenticated' ? text : undefined;
}

/**
 * @param configured the filters of an existing service: the configuration accepts some that are not proposed, such as those
 *   of a column without a type
 */
export function toColumnRows(
  { columns }: TableProposal,
  input: Pick<TableServiceInput, 'columns' | 'readOnly' | 'sort' | 'filters' | 'identifier'>,
  configured: TableServiceInput['filters'] = {},
): readonly ColumnRow[] {
  const operatorsIn = (filters: TableServiceInput['filters'], name: string): readonly string[] =>
    listOf(memberAt(filters, [name])).map(String);
  return columns.map((column) => ({
    ...column,
    isChosen: input.columns.includes(column.name),
    isReadOnlyChosen: column.isReadOnly || input.readOnly.includes(column.name),
    isSortable: column.operators.length > 0,
    isSortChosen: input.sort.includes(column.name),
    isKey: input.identifier.includes(column.name),
    choices: [...new Set([...column.operators, ...operatorsIn(configured, column.name)])].map((operator) => ({
      operator,
      isChosen: operatorsIn(input.filters, column.name).includes(operator),
    })),
  }));
}
