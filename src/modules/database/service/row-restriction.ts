import { parametersOf, parsePattern } from '../../../framework';
import type { HandlerContext } from '../../hosting';
import { guestRefusal } from '../../mvc-auth';
import type { RowRestriction, TableColumnInfo, TableKey } from './table';
import { keyValue } from './table-key';

/** Who makes a request, and for which path. */
export type Requester = Pick<HandlerContext<unknown, unknown, unknown>, 'identity' | 'event'>;

/** Returns the value that a restriction requires of a request. */
export function restrictedValue(
  { column, constant, parameter }: RowRestriction,
  { identity, event }: Requester,
): unknown {
  if (constant !== undefined) return constant;
  return parameter === undefined
    ? identity.name
    : keyValue({ column, parameter }, event.parameters[parameter] ?? '');
}

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
