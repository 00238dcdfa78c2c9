import type { FieldData } from '../model/data';
import { Field } from '../model/field';
import { fieldsFromSchema } from '../model/fields-from-schema';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/** A response with more fields is shown with its upper levels; its schema has the rest. */
const MAX_FIELDS = 100;
/** Deeper than any response. */
const MAX_DEPTH = 99;

/**
 * Returns the response fields of an RPC operation; those of a REST operation are the fields of its service.
 * @param code a status with its own schema, of either kind of service; defaults to the usual success
 */
export function docAnswerFields(service: Service, operation: Operation, code?: number): readonly Field[] {
  const schema = code === undefined ? null : operation.getResponseSchema(code);
  const whole =
    code === undefined ? responseFields(service, operation) : schema === null ? [] : fieldsFromSchema(schema);
  const levels = [MAX_DEPTH, 2].find((candidate) => countOf(cut(whole, candidate)) <= MAX_FIELDS) ?? 1;
  return cut(whole, levels).map((field) => new Field(field));
}

/** Returns the same fields as plain records. @param deepest the number of levels */
export function responseFields(
  service: Service,
  operation: Operation,
  deepest?: number,
): readonly FieldData[] {
  const schema = operation.getResponseSchema();
  return schema === null || service.getKind() !== 'rpc' ? [] : fieldsFromSchema(schema, deepest);
}

/** Returns the upper levels of a tree. */
function cut(fields: readonly FieldData[], levels: number): readonly FieldData[] {
  return fields.map(({ fields: inner = [], ...field }) =>
    levels > 1
      ? { ...field, fields: cut(inner, levels - 1) }
      : { ...field, ...(inner.length > 0 ? { cut: true as const } : {}) },
  );
}

function countOf(fields: readonly FieldData[]): number {
  return fields.reduce((count, { fields: inner = [] }) => count + 1 + countOf(inner), 0);
}
