import { ConfigurationError } from '../../../../framework';
import type { Dialect } from '../../adapters/database-adapter';
import { integerParameter } from '../../adapters/storable-value';
import type { ColumnModel } from '../../introspection/table-model';
import { columnCodec, type ColumnCodec } from '../../schema/column-codec';
import { toParameter } from '../../schema/parameters';
import type { TableFilter } from '../../table/table';
import type { SqlFilterDefinition, TableServiceDefinition } from './table-definition';

const TEXT: ColumnModel = { type: 'text', declared: 'TEXT', isNullable: false };

/** Parameters that lists have besides those of filters; `q` is one where clients can search. */
const RESERVED: readonly string[] = ['fields', 'embed', 'count'];

/**
 * Resolves the filters that are conditions in SQL.
 * @throws ConfigurationError for a condition without a place for the value, and for the name of another parameter
 */
export function sqlFiltersOf(
  { sql_filters: filters = {} }: TableServiceDefinition,
  dialect: Dialect,
  where: string,
): readonly TableFilter[] {
  return Object.entries(filters).flatMap(([parameter, filter]) => {
    if (filter === null) return [];
    if (RESERVED.includes(parameter)) {
      throw new ConfigurationError(
        `${where}: sql_filters has "${parameter}", which is a parameter of every list. Rename the filter.`,
      );
    }
    const condition = conditionOf(filter, dialect);
    if (condition.includes(':value')) return [sqlFilter(parameter, condition, filter, dialect)];
    throw new ConfigurationError(
      `${where}: sql_filters.${parameter}.where does not contain ":value", which stands for the value of the parameter.`,
    );
  });
}

/** Configuration may describe a filter that no code declares. */
function conditionOf({ where }: Partial<SqlFilterDefinition>, dialect: Dialect): string {
  return (typeof where === 'string' ? where : where?.[dialect]) ?? '';
}

function sqlFilter(
  parameter: string,
  where: string,
  { description, schema = { type: 'string', minLength: 1 }, lower_case: isLowerCase }: SqlFilterDefinition,
  dialect: Dialect,
): TableFilter {
  const described = { ...schema, ...(description === undefined ? {} : { description }) };
  const codec = withLists(withIntegers(columnCodec(parameter, TEXT, dialect), schema, dialect), dialect);
  return {
    parameter,
    operator: 'eq',
    where,
    column: {
      name: parameter,
      model: TEXT,
      codec: isLowerCase === true ? lowerCase(codec) : codec,
      // JSON Schema, as configuration has it.
      schema: described as TableFilter['column']['schema'],
      hasStoredPosition: false,
      isSettable: false,
      isWritable: false,
    },
  };
}

/** SQLite computes with the values: whole numbers are integers, unless the schema allows others as well. */
function withIntegers(codec: ColumnCodec, schema: object, dialect: Dialect): ColumnCodec {
  if (dialect !== 'sqlite' || [Reflect.get(schema, 'type')].flat().includes('number')) return codec;
  return {
    ...codec,
    toParameter: (value) =>
      typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))
        ? integerParameter(value)
        : codec.toParameter(value),
  };
}

/** Lists and objects are JSON in SQLite; lists are arrays in PostgreSQL. */
function withLists(codec: ColumnCodec, dialect: Dialect): ColumnCodec {
  return {
    ...codec,
    toParameter: (value) =>
      typeof value === 'object' ? toParameter(value, dialect) : codec.toParameter(value),
  };
}

/** Converts values to lower case, before they become parameters. */
function lowerCase(codec: ColumnCodec): ColumnCodec {
  return { ...codec, toParameter: (value) => codec.toParameter(inLowerCase(value)) };
}

function inLowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inLowerCase);
  return typeof value === 'string' ? value.toLowerCase() : value;
}
