import type { ConfigObject } from '../../../../framework';
import type { AccessRule } from '../../../mvc-auth';

/** The operations of a service, by the names under which forms and commands choose them. */
export const OPERATIONS = {
  list: { part: 'collection', method: 'GET' },
  create: { part: 'collection', method: 'POST' },
  get: { part: 'entity', method: 'GET' },
  replace: { part: 'entity', method: 'PUT' },
  patch: { part: 'entity', method: 'PATCH' },
  delete: { part: 'entity', method: 'DELETE' },
} as const;

export type OperationName = keyof typeof OPERATIONS;

export const operationNames = Object.keys(OPERATIONS) as readonly OperationName[];

/** Operations that change nothing. */
export const READING: readonly OperationName[] = ['list', 'get'];

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

/** A new service over a table. */
export interface TableServiceInput {
  readonly adapter: string;
  readonly table: string;
  readonly api: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly route: string;
  /** The columns that identify an entity. */
  readonly identifier: readonly string[];
  readonly collectionName: string;
  readonly pageSize: number;
  readonly columns: readonly string[];
  /** Columns that clients cannot write, besides those that the database assigns. */
  readonly readOnly: readonly string[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly sort: readonly string[];
  /** By the names of {@link OPERATIONS}. */
  readonly operations: readonly string[];
  /** Access rules; undefined for that of the API. */
  readonly readAccess: AccessRule | undefined;
  readonly writeAccess: AccessRule | undefined;
}

/** Returns the declaration of a service, as configuration. */
export function declarationOf(input: TableServiceInput): ConfigObject {
  const { description, columns, readOnly, filters, identifier } = input;
  const filtered = Object.entries(filters).filter(([, operators]) => operators.length > 0);
  return {
    kind: 'table',
    adapter_name: input.adapter,
    table_name: input.table,
    ...(description === '' ? {} : { description }),
    route: input.route,
    route_identifier_name: identifier.length === 1 ? (identifier[0] ?? '') : [...identifier],
    collection_name: input.collectionName,
    columns: Object.fromEntries(
      columns.map((name) => [name, readOnly.includes(name) ? { read_only: true } : {}]),
    ),
    ...(filtered.length === 0
      ? {}
      : { filters: Object.fromEntries(filtered.map(([key, all]) => [key, [...all]])) }),
    page_size: input.pageSize,
    ...partOf('collection', input),
    ...partOf('entity', input),
  };
}

function partOf(part: 'collection' | 'entity', input: TableServiceInput): ConfigObject {
  const { operations, sort, readAccess, writeAccess } = input;
  const own = operations.filter(isOperationName).filter((name) => OPERATIONS[name].part === part);
  if (own.length === 0) return {};
  return {
    [part]: Object.fromEntries(
      own.map((name) => {
        const access = READING.includes(name) ? readAccess : writeAccess;
        return [
          OPERATIONS[name].method,
          {
            ...(name === 'list' && sort.length > 0 ? { sort: [...sort] } : {}),
            ...(access === undefined ? {} : { authorization: toConfig(access) }),
          },
        ];
      }),
    ),
  };
}

function toConfig(rule: AccessRule): ConfigObject[string] {
  return typeof rule === 'string' ? rule : 'policy' in rule ? { policy: rule.policy } : [...rule];
}
