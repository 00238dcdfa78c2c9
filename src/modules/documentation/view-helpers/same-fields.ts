import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/**
 * Whether the request fields of an operation are those of its service, so that pages need not repeat them. False for
 * RPC services, whose operations have their own fields.
 */
export function hasServiceFields(service: Service, operation: Operation): boolean {
  if (service.getKind() === 'rpc') return false;
  const [own, others] = [operation.getFields(), service.getFields()];
  return own.length === others.length && own.every((field, at) => isSame(field, others[at]));
}

function isSame(field: Field, other: Field | undefined): boolean {
  return other !== undefined && (field === other || JSON.stringify(field) === JSON.stringify(other));
}
