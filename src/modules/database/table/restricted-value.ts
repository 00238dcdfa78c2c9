import { problem } from '../../../framework';
import type { HandlerContext } from '../../hosting';
import { DatabaseError } from '../adapters/database-error';
import type { RowRestriction, TableColumnInfo } from './table';
import { keyValue } from './table-key';

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
