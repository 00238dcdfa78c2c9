import type { TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import { closestMatch, ConfigurationError, isObject, listOf, ownMembers } from '../../../framework';
import type { DatabaseAdapter, Dialect } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { columnSchema } from '../schema/column-schema';
import { callOf, functionModel } from './function-model';
import { IDENTITY_NAME, parseNamedParameters } from './named-parameters';
import { ProcedureCall, type CallParameter } from './procedure-call';
import type { ProcedureResult, ProcedureServiceDefinition } from './procedure-definition';
import { describeStatement } from './describe-statement';
import type { DescribedColumn } from './statement-description';

/** A procedure service, resolved against its database. */
export interface Procedure {
  readonly dialect: Dialect;
  /** The schemas of what clients send, by name. */
  readonly schemas: Readonly<Record<string, TSchema>>;
  /** The columns of the result; undefined if they are unknown. */
  readonly columns: readonly DescribedColumn[] | undefined;
  readonly result: ProcedureResult;
  readonly call: ProcedureCall;
}

/**
 * Resolves a declaration.
 * @returns undefined if the database cannot be reached
 * @throws ConfigurationError for what the database does not accept, and for parameters that do not fit
 */
export async function resolveProcedure(
  definition: ProcedureServiceDefinition,
  adapter: DatabaseAdapter,
  where: string,
): Promise<Procedure | undefined> {
  const { sql, function_name: name } = definition;
  if (sql !== undefined) return resolveStatement(definition, sql, adapter, where);
  if (adapter.dialect !== 'postgres')
    throw new ConfigurationError(
      `${where}: functions are those of PostgreSQL; the database "${definition.adapter_name}" is SQLite. Use "sql".`,
    );
  try {
    return await resolveFunction(definition, name ?? '', adapter, where);
  } catch (error) {
    if (error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'timeout'))
      return undefined;
    throw error;
  }
}

async function resolveStatement(
  { parameters = {}, read_only: isReadOnly = true, result }: ProcedureServiceDefinition,
  sql: string,
  adapter: DatabaseAdapter,
  where: string,
): Promise<Procedure | undefined> {
  const { dialect } = adapter;
  const statement = parseNamedParameters(sql, dialect, `${where}: sql`);
  assertParameters(statement.names, parameters, where);
  const description = await describeStatement(adapter, statement, `${where}: sql`);
  if (description === undefined) return undefined;
  if (isReadOnly && description.writes)
    throw new ConfigurationError(`${where}: sql changes data. Set "read_only": false, or use a SELECT.`);
  const call = statement.names.map((name, at): CallParameter => ({
    name,
    // A declared schema decides what clients send; the database converts it.
    model: undefined,
    isNumeric: isNumeric(parameters[name], description.parameters[at]?.type),
    isReal: typesOf(parameters[name]).includes('number'),
    fixed: name === IDENTITY_NAME ? IDENTITY_NAME : undefined,
  }));
  const { columns, writes } = description;
  const typed = writes ? undefined : columns;
  const kind = isReadOnly ? 'read' : 'write';
  return {
    dialect,
    schemas: parameters,
    columns: typed,
    result: result ?? (writes && columns?.length === 0 ? 'none' : 'rows'),
    call: new ProcedureCall(
      dialect,
      kind,
      call,
      typed,
      (_, reals) => statement.withReals(reals),
      statement.places,
    ),
  };
}

/** @throws ConfigurationError unless the parameters of the text are those that are declared */
function assertParameters(
  names: readonly string[],
  declared: Readonly<Record<string, TSchema>>,
  where: string,
): void {
  const available = Object.keys(declared);
  for (const name of names) {
    if (name === IDENTITY_NAME || available.includes(name)) continue;
    const suggestion = closestMatch(name, [...available, IDENTITY_NAME]);
    throw new ConfigurationError(
      `${where}: sql has the parameter ":${name}", which "parameters" does not declare.${suggestion === undefined ? '' : ` Did you mean ":${suggestion}"?`} Available: ${[...available, IDENTITY_NAME].join(', ')}.`,
    );
  }
  const unused = available.find((name) => !names.includes(name));
  if (unused === undefined) return;
  throw new ConfigurationError(
    `${where}: "parameters" declares "${unused}", which sql does not use. Its parameters: ${names.map((name) => `:${name}`).join(', ') || 'none'}.`,
  );
}

async function resolveFunction(
  definition: ProcedureServiceDefinition,
  name: string,
  adapter: DatabaseAdapter,
  where: string,
): Promise<Procedure | undefined> {
  const { read_only: isReadOnly = true, result } = definition;
  const { dialect } = adapter;
  const model = await functionModel(adapter, name, where);
  const names = model.parameters.map((one) => one.name);
  const own = ownMembers(names);
  const [parameters, fixed] = [own(definition.parameters ?? {}), own(definition.arguments ?? {})];
  for (const declared of [...Object.keys(parameters), ...Object.keys(fixed)]) {
    if (names.includes(declared)) continue;
    throw new ConfigurationError(
      `${where}: the function "${name}" has no parameter "${declared}". Available: ${names.join(', ') || 'none'}.`,
    );
  }
  if (model.isProcedure && isReadOnly)
    throw new ConfigurationError(`${where}: "${name}" is a procedure. Set "read_only": false.`);
  const text = (given: readonly string[]): string => callOf(model, given);
  const all = {
    text: text(names),
    names,
    withReals: () => text(names),
    locate: () => ({ line: 1, column: 1 }),
  };
  const description = model.isVoid
    ? undefined
    : await describeStatement(adapter, all, `${where}: function_name`);
  if (description === undefined && !model.isVoid) return undefined;
  const sent = model.parameters.filter((one) => fixed[one.name] === undefined);
  const schemas = sent.map(({ name: parameter, model: type, hasDefault }): [string, TSchema] => {
    const introspected =
      type === undefined ? Type.Unknown() : columnSchema({ ...type, isNullable: false }, {}, dialect);
    const schema = parameters[parameter] ?? introspected;
    return [parameter, hasDefault ? Type.Optional(schema) : schema];
  });
  const call = model.parameters.map((one): CallParameter => ({
    ...one,
    isNumeric: isNumeric(parameters[one.name], one.model?.type),
    isReal: false,
    fixed: fixed[one.name],
  }));
  const columns = model.isVoid ? undefined : description?.columns;
  const usual = model.isVoid ? 'none' : model.returnsSet ? 'rows' : model.isScalar ? 'value' : 'row';
  return {
    dialect,
    schemas: Object.fromEntries(schemas),
    columns,
    result: result ?? usual,
    call: new ProcedureCall(dialect, isReadOnly ? 'read' : 'write', call, columns, text),
  };
}

function isNumeric(schema: TSchema | undefined, type: string | undefined): boolean {
  const declared = typesOf(schema).filter((one) => one !== 'null');
  return (declared.length === 0 ? [type] : declared).every((one) => one === 'integer' || one === 'number');
}

/** The types of the values that a schema allows, also those of a union, as far as it names them. */
function typesOf(schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  return schema.type === undefined ? listOf(schema.anyOf).flatMap(typesOf) : [schema.type].flat();
}
