import { OptionalKind, Type, type TObject, type TSchema } from '@sinclair/typebox';
import type { Dialect } from '../adapters/database-adapter';
import { columnSchema } from '../schema/column-schema';
import type { ProcedureServiceDefinition } from './procedure-definition';
import type { Procedure } from './resolve-procedure';
import type { DescribedColumn } from './statement-description';

/** The query or body: the parameters that are not in the route; undefined if there are none. */
export function inputOf(
  schemas: Readonly<Record<string, TSchema>>,
  inRoute: readonly string[],
): TObject | undefined {
  const sent = Object.entries(schemas).filter(([name]) => !inRoute.includes(name));
  if (sent.length === 0) return undefined;
  return Type.Object(
    Object.fromEntries(
      sent.map(([name, schema]) => [name, isOptional(schema) ? Type.Optional(schema) : schema]),
    ),
    { additionalProperties: false },
  );
}

/** Whether clients may leave a parameter out: it has a default, or is null then. */
function isOptional(schema: TSchema): boolean {
  const { type, default: value } = schema as { readonly type?: unknown; readonly default?: unknown };
  if (OptionalKind in schema || value !== undefined) return true;
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** The schema of the response; undefined for none. */
export function responseOf(
  { result, response }: ProcedureServiceDefinition,
  procedure: Procedure | undefined,
): TSchema | undefined {
  const kind = procedure?.result ?? result ?? 'rows';
  if (kind === 'none') return undefined;
  if (response !== undefined) return response;
  const { columns, dialect } = procedure ?? { columns: undefined, dialect: 'sqlite' as const };
  if (kind === 'value') {
    const [first] = columns ?? [];
    return first === undefined ? Type.Unknown() : schemaOf(first, dialect);
  }
  const row = rowSchema(columns, dialect);
  return kind === 'row' ? row : Type.Array(row);
}

function rowSchema(columns: readonly DescribedColumn[] | undefined, dialect: Dialect): TSchema {
  if (columns === undefined) return Type.Record(Type.String(), Type.Unknown());
  return Type.Object(Object.fromEntries(columns.map((column) => [column.name, schemaOf(column, dialect)])));
}

/** Values of expressions have no declared type in SQLite. */
function schemaOf({ model }: DescribedColumn, dialect: Dialect): TSchema {
  return model === undefined ? Type.Unknown() : columnSchema(model, { read_only: false }, dialect);
}
