import type { FieldData } from '../model/data';
import { fieldsFromSchema } from '../model/fields-from-schema';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/**
 * Returns the fields of the response of an RPC operation; those of a REST operation are the fields of its service.
 * @param deepest the number of levels
 */
export function responseFields(
  service: Service,
  operation: Operation,
  deepest?: number,
): readonly FieldData[] {
  const schema = operation.getResponseSchema();
  return schema === null || service.getKind() !== 'rpc' ? [] : fieldsFromSchema(schema, deepest);
}
