import {
  formatPointer,
  isObject,
  parametersOf,
  parsePattern,
  type MvcEvent,
  ownValue,
} from '../../../framework';
import type { ValidationError } from '../../content-validation';
import { guestRefusal } from '../../mvc-auth';
import type { RowRestriction, Table, TableColumnInfo, TableKey } from '../table/table';
import type { Requester } from '../table/restricted-value';
import { isSameValue } from '../table/table-key';

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
