import type { FieldData } from '../model/data';
import { Field } from '../model/field';
import { fieldsFromSchema } from '../model/fields-from-schema';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/** Fields that a reader can take in; of a larger answer only the upper levels are shown, its schema has the rest. */
const MOST_FIELDS = 100;
/** More than there ever are. */
const DEEPEST = 99;

/** The fields of a procedure's answer: what a resource answers are the fields of its service, and stand there. */
export function docAnswerFields(service: Service, operation: Operation): readonly Field[] {
  const whole = answerFields(service, operation);
  const levels = [DEEPEST, 2].find((candidate) => countOf(cut(whole, candidate)) <= MOST_FIELDS) ?? 1;
  return cut(whole, levels).map((field) => new Field(field));
}

/** The same as data. @param deepest levels of them */
export function answerFields(service: Service, operation: Operation, deepest?: number): readonly FieldData[] {
  const schema = operation.getResponseSchema();
  return schema === null || service.getKind() !== 'rpc' ? [] : fieldsFromSchema(schema, deepest);
}

/** The upper levels of a tree. */
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
