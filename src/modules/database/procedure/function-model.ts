import { didYouMean, ConfigurationError, listNames } from '../../../framework';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import { partsOfName, qualifiedName, quotedName } from '../adapters/postgres/qualified-name';
import type { ColumnModel } from '../introspection/table-model';
import { typesOf } from './describe-postgres';

/** A function or procedure of PostgreSQL. */
export interface FunctionModel {
  /** Its name as SQL. */
  readonly sqlName: string;
  readonly isProcedure: boolean;
  /** Whether it returns nothing. */
  readonly isVoid: boolean;
  /** Whether it returns one value, rather than rows or columns. */
  readonly isScalar: boolean;
  readonly returnsSet: boolean;
  /** Whether it returns a row of a table or a composite type, which may be null. */
  readonly isRow: boolean;
  readonly parameters: readonly FunctionParameter[];
  /** The parameter that takes any number of arguments as a list. */
  readonly variadic: string | undefined;
  /** The parameters of a procedure that only return values. */
  readonly outputs: readonly string[];
}

interface FunctionParameter {
  readonly name: string;
  readonly model: ColumnModel | undefined;
  readonly hasDefault: boolean;
}

interface FunctionRow {
  readonly sql_name: string;
  readonly is_procedure: boolean;
  readonly is_void: boolean;
  readonly is_scalar: boolean;
  readonly returns_set: boolean;
  readonly is_composite: boolean;
  readonly is_trigger: boolean;
  readonly is_variadic: boolean;
  /** JSON: the types of the arguments that callers pass, and their names. */
  readonly types: string;
  readonly names: string;
  readonly outputs: string;
  readonly defaults: number;
}

const FUNCTIONS = `SELECT format('%I.%I', n.nspname, p.proname) AS sql_name, p.prokind = 'p' AS is_procedure,
    p.prorettype = 'void'::regtype AS is_void, p.proretset AS returns_set,
    t.typtype <> 'c' AND p.prorettype <> 'record'::regtype
      AND NOT (p.proretset AND coalesce(p.proargmodes && '{o,b,t}', false)) AS is_scalar,
    t.typtype = 'c' AS is_composite, p.provariadic <> 0 AS is_variadic,
    p.prorettype IN ('trigger'::regtype, 'event_trigger'::regtype) AS is_trigger,
    array_to_json(p.proargtypes::oid[]::int8[])::text AS types,
    array_to_json(ARRAY(
      SELECT coalesce(p.proargnames[a.position], '') FROM generate_series(1, coalesce(cardinality(p.proargmodes), p.pronargs)) a (position)
      WHERE p.proargmodes IS NULL OR p.proargmodes[a.position] IN ('i', 'b', 'v') ORDER BY a.position
    ))::text AS names,
    array_to_json(ARRAY(
      SELECT coalesce(p.proargnames[a.position], '') FROM generate_series(1, cardinality(p.proargmodes)) a (position)
      WHERE p.prokind = 'p' AND p.proargmodes[a.position] = 'o' ORDER BY a.position
    ))::text AS outputs,
    p.pronargdefaults::int4 AS defaults
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_type t ON t.oid = p.prorettype
  WHERE p.prokind IN ('f', 'p') AND p.proname = $2
    AND CASE WHEN $1 = '' THEN pg_function_is_visible(p.oid) ELSE n.nspname = $1 END
  ORDER BY p.oid`;

const NAMES = `SELECT DISTINCT CASE WHEN pg_function_is_visible(p.oid) THEN NULL ELSE n.nspname END AS schema, p.proname AS name
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE p.prokind IN ('f', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY name, schema LIMIT 100`;

/**
 * Reads a function.
 * @param name with its schema if that is not the default one
 * @throws ConfigurationError if it does not exist, exists several times, or has parameters without names; DatabaseError
 */
export async function functionModel(
  adapter: DatabaseAdapter,
  name: string,
  where: string,
): Promise<FunctionModel> {
  const [local = '', schema = ''] = [...partsOfName(name)].reverse();
  const statement = { text: FUNCTIONS, kind: 'read', adHoc: true } as const;
  const rows = await adapter.execute(statement, [schema, local]);
  const [row, ...others] = rows as readonly unknown[] as readonly FunctionRow[];
  if (row === undefined) throw await missing(adapter, name, where);
  if (others.length > 0) {
    throw new ConfigurationError(
      `${where}: the function "${name}" exists ${others.length + 1} times, with different parameters. Call one of them in "sql".`,
    );
  }
  if (row.is_trigger)
    throw new ConfigurationError(`${where}: "${name}" is a trigger function, which only triggers can call.`);
  const oids = JSON.parse(row.types) as readonly number[];
  const names = JSON.parse(row.names) as readonly string[];
  const outputs = JSON.parse(row.outputs) as readonly string[];
  if (names.length < oids.length || names.includes('') || outputs.includes('')) {
    throw new ConfigurationError(
      `${where}: the function "${name}" has parameters without names. Name them, or call it in "sql".`,
    );
  }
  const types = await typesOf(adapter, oids);
  return {
    sqlName: row.sql_name,
    isProcedure: row.is_procedure,
    isVoid: row.is_void || row.is_procedure,
    isScalar: row.is_scalar,
    returnsSet: row.returns_set,
    isRow: row.is_composite && !row.returns_set,
    variadic: row.is_variadic ? names.at(-1) : undefined,
    outputs,
    parameters: oids.map((oid, at) => ({
      name: names[at] ?? '',
      model: types.get(oid),
      hasDefault: at >= oids.length - row.defaults,
    })),
  };
}

async function missing(adapter: DatabaseAdapter, name: string, where: string): Promise<ConfigurationError> {
  const rows = await adapter.execute({ text: NAMES, kind: 'read', adHoc: true }, []);
  const names = rows.map(({ schema, name: own }) =>
    qualifiedName((schema === null ? [own] : [schema, own]).map(String)),
  );
  return new ConfigurationError(
    `${where}: the function "${name}" does not exist.${didYouMean(name, names)} Available: ${listNames(names)}.`,
  );
}

/** The statement that calls a function with some of its arguments, which are parameters in this order. */
export function callOf(
  { sqlName, isProcedure, isScalar, isVoid, isRow, variadic, outputs }: FunctionModel,
  names: readonly string[],
): string {
  const values = [
    ...outputs.map((name) => `${quotedName(name)} => NULL`),
    // Last, as VARIADIC must be.
    ...names.map((name, at) => `${name === variadic ? 'VARIADIC ' : ''}${quotedName(name)} => $${at + 1}`),
  ];
  const call = `${sqlName}(${values.join(', ')})`;
  if (isProcedure) return `CALL ${call}`;
  if (isScalar && !isVoid) return `SELECT ${call} AS value`;
  // Of a row that does not exist, all columns are null.
  return isRow ? `SELECT * FROM ${call} AS result WHERE NOT (result.* IS NULL)` : `SELECT * FROM ${call}`;
}
