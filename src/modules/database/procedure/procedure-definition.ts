import type { TSchema } from '@sinclair/typebox';
import type { RpcServiceDefinition } from '../../hosting';

declare module '../../hosting' {
  interface CustomServices {
    procedure: ProcedureServiceDefinition;
  }
}

/** What a procedure responds with. */
export type ProcedureResult = 'rows' | 'row' | 'value' | 'none';

/**
 * An RPC service that executes a statement with named parameters, or a function of the database. In configuration:
 * `"kind": "procedure"`.
 */
export interface ProcedureServiceDefinition extends Omit<RpcServiceDefinition, 'kind' | 'methods'> {
  readonly kind: 'procedure';
  /** The key in `platform-db.adapters`. */
  readonly adapter_name: string;
  /**
   * One statement. Parameters are named by a colon: `select name from products where price >= :price`. The name of the
   * identity is `:identity.name`.
   */
  readonly sql?: string;
  /** A function or procedure of PostgreSQL instead, with its schema if that is not the default one. */
  readonly function_name?: string;
  /** Arguments of the function that clients do not send: constants, or `identity.name`. */
  readonly arguments?: Readonly<Record<string, string | number | boolean>>;
  /**
   * The schemas of the parameters by name: those in the route, and those of the query (GET) or body (POST). Optional are
   * those with a default, and those of `Type.Optional` or of a type that includes null.
   */
  readonly parameters?: Readonly<Record<string, TSchema>>;
  /** Whether it changes nothing; defaults to true. GET then, otherwise POST. */
  readonly read_only?: boolean;
  /** The rows (default), one row (404 if there is none), the first column of one row, or nothing (204). */
  readonly result?: ProcedureResult;
  /** The schema of the response, if it differs from the columns. */
  readonly response?: TSchema;
  /** The title of its operation. */
  readonly summary?: string;
}

/**
 * Declares a service over a statement or a function of a database.
 *
 * @example
 * defineProcedureService({
 *   adapter_name: 'shop',
 *   route: '/cheapest',
 *   sql: 'select name, price from products where price >= :price order by price limit 10',
 *   parameters: { price: Type.Integer({ minimum: 0 }) },
 * })
 */
export function defineProcedureService(
  definition: Omit<ProcedureServiceDefinition, 'kind'>,
): ProcedureServiceDefinition {
  return { kind: 'procedure', ...definition };
}
