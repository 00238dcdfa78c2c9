import type { ColumnModel } from '../introspection/table-model';
import { isOrdered } from './native-types';

/** Whether values of a column cannot be compared: they have no filters, and no order. */
export function hasNoOrder({ type, isArray = false, base = '' }: ColumnModel): boolean {
  if (isArray || type === 'json' || type === 'binary' || type === 'other') return true;
  return type === 'native' && !isOrdered(base);
}

/** Whether a column can identify an entity: its values are texts of a URL, by which the database finds them. */
export function canIdentify(model: ColumnModel): boolean {
  const { type, isArray = false } = model;
  return !isArray && (type === 'binary' || type === 'other' || !hasNoOrder(model));
}
