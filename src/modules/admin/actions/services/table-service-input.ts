import { parametersOf, parsePattern, type ConfigObject } from '../../../../framework';
import { parameterNames } from '../../../database';
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

/** Returns the parameters of a route; none if it is invalid, which is reported as an error of its own. */
export function routeParameters(route: string): readonly string[] {
  try {
    return parametersOf(parsePattern(route).parts);
  } catch {
    return [];
  }
}

/**
 * Returns the parameters of a route for the columns that identify an entity, in the order of the columns: those with
 * their names, and the others in the order of the route.
 * @returns undefined if the route has another number of parameters, unless all columns have one with their name
 */
export function parametersFor(
  parameters: readonly string[],
  columns: readonly string[],
): readonly string[] | undefined {
  if (columns.every((name) => parameters.includes(name))) return columns;
  if (parameters.length !== columns.length) return undefined;
  const names = parameterNames(columns);
  const others = parameters.filter((one) => !names.includes(one));
  return names.map((name) => (parameters.includes(name) ? name : (others.shift() ?? name)));
}

/** Returns the declaration of a service, as configuration. */
export function declarationOf(input: TableServiceInput): ConfigObject {
  const { description, columns, readOnly, filters } = input;
  const filtered = Object.entries(filters).filter(([, operators]) => operators.length > 0);
  return {
    kind: 'table',
    adapter_name: input.adapter,
    table_name: input.table,
    ...(description === '' ? {} : { description }),
    route: input.route,
    ...identifiersOf(input),
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

/** The columns that identify an entity, with the parameters of the route if these have other names. */
function identifiersOf({ route, identifier }: TableServiceInput): ConfigObject {
  const nameOf = (names: readonly string[]): ConfigObject[string] =>
    names.length === 1 ? (names[0] ?? '') : [...names];
  const parameters = parametersFor(routeParameters(route), identifier) ?? identifier;
  const hasOthers = parameters.some((name, at) => name !== identifier[at]);
  return {
    route_identifier_name: nameOf(parameters),
    ...(hasOthers ? { entity_identifier_name: nameOf(identifier) } : {}),
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
