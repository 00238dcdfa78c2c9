import type { ColumnModel } from '../introspection/table-model';
import { isOrdered } from './native-types';

/** Whether values of a column cannot be compared: they have no filters, and no order. */
export function hasNoOrder({ type, isArray = false, base = '' }: ColumnModel): boolean {
  if (isArray || type === 'json' || type === 'binary' || type === 'other') return true;
  return type === 'native' && !isOrdered(base);
}
