import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/** Whether what an operation is sent has the very fields of its service, so that they need not be shown again. */
export function hasFieldsOf(service: Service, operation: Operation): boolean {
  const [own, others] = [operation.getFields(), service.getFields()];
  return own.length === others.length && own.every((field, at) => isSame(field, others[at]));
}

function isSame(field: Field, other: Field | undefined): boolean {
  return other !== undefined && (field === other || JSON.stringify(field) === JSON.stringify(other));
}
