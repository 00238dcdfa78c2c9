import {
  formatPointer,
  isObject,
  parametersOf,
  parsePattern,
  problem,
  type MvcEvent,
  ownValue,
} from '../../../framework';
import type { ValidationError } from '../../content-validation';
import type { HandlerContext } from '../../hosting';
import { guestRefusal } from '../../mvc-auth';
import { DatabaseError } from '../adapters/database-error';
import type { RowRestriction, Table, TableColumnInfo, TableKey } from './table';
import { isSameValue, keyValue } from './keys/table-key';

/** Who makes a request, and for which path. */
export type Requester = Pick<HandlerContext<unknown, unknown, unknown>, 'identity' | 'event'>;

/**
 * Returns the value that a restriction requires of a request; null if a column has none for the name of the user.
 * @throws Problem 404 for a path with a text that no parent has in its URL, such as `/orders/01/lines`
 */
export function restrictedValue(
  { column, constant, parameter }: RowRestriction,
  { identity, event }: Requester,
): unknown {
  if (constant !== undefined) return constant;
  if (parameter === undefined) return ownerValue(column, identity.name);
  const value = keyValue({ column, parameter }, event.parameters[parameter] ?? '');
  if (value === null) throw problem('route_not_found', { path: event.request.path });
  return value;
}

/**
 * The name of a user as the value of a column; null for one in another notation, such as 07 in a column of integers: it
 * would be the value of another user.
 */
function ownerValue(column: TableColumnInfo, name: string | null): unknown {
  if (name === null) return null;
  const { codec, model } = column;
  const value = keyValue({ column, parameter: '' }, name);
  if (typeof value !== 'string' || model.isArray === true || model.type === 'json') return value;
  if (model.type === 'decimal' && !INTEGER.test(name)) return null;
  try {
    const parameter = codec.toParameter(value);
    return typeof parameter === 'string' && parameter !== name ? null : value;
  } catch (error) {
    if (error instanceof DatabaseError) return null;
    throw error;
  }
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** @throws Problem 401 or 403 for a guest, if rows belong to the user who creates them */
export function assertOwner(rows: readonly RowRestriction[], { identity, event }: Requester): void {
  const isOwned = rows.some(({ constant, parameter }) => constant === undefined && parameter === undefined);
  if (isOwned && identity.isGuest) throw guestRefusal(event);
}

/**
 * Returns the restrictions by route parameters that every path has: `/orders/:order_id/lines[/:line]` has the lines of
 * one order. Parameters that no column is named like restrict nothing.
 * @param columns those that clients see
 * @param hiddenColumn returns another column of the table: its rows are restricted, although clients do not see it
 */
export function routeRestrictions(
  route: string,
  keys: readonly TableKey[],
  columns: readonly TableColumnInfo[],
  restricted: readonly RowRestriction[],
  hiddenColumn: (name: string) => TableColumnInfo | undefined,
): readonly RowRestriction[] {
  const { parts } = parsePattern(route);
  const required = parts.flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
  // The last identifier is that of the entity, even in a route without a collection.
  const last = parametersOf(parts)
    .filter((name) => keys.some(({ parameter }) => parameter === name))
    .at(-1);
  return required.flatMap((parameter) => {
    if (parameter === last) return [];
    const column =
      keys.find((key) => key.parameter === parameter)?.column ??
      columns.find(({ name }) => name === parameter) ??
      hiddenColumn(parameter);
    const isRestricted = restricted.some((row) => row.column.name === column?.name);
    return column === undefined || isRestricted ? [] : [{ column, constant: undefined, parameter }];
  });
}

/**
 * Returns a check of bodies as they were sent: a value that contradicts the path would be ignored, as the columns that
 * the route decides are `readOnly`.
 * @returns undefined for a table whose rows no route parameter restricts
 */
export function parentCheck({
  columns,
  rows,
  dialect,
}: Table): ((event: MvcEvent, body: unknown) => readonly ValidationError[]) | undefined {
  const parents = rows.flatMap(({ column, parameter }) =>
    parameter === undefined || !columns.includes(column) ? [] : [{ column, parameter }],
  );
  if (parents.length === 0) return undefined;
  return ({ parameters }, body) => {
    const errorsOf = (entity: unknown, pointer: string): readonly ValidationError[] => {
      if (!isObject(entity)) return [];
      return parents.flatMap((parent) => {
        const { name } = parent.column;
        const given = ownValue(entity, name);
        const text = parameters[parent.parameter] ?? '';
        if (given === undefined || isSameValue(parent, given, text, dialect)) return [];
        const message = `must be the ${parent.parameter} in the URL`;
        return [{ pointer: pointer + formatPointer([name]), keyword: 'const', message }];
      });
    };
    return Array.isArray(body) ? body.flatMap((item, at) => errorsOf(item, `/${at}`)) : errorsOf(body, '');
  };
}
