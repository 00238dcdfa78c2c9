import { Api } from '../../../../src/modules/documentation/model/api';
import type { Field } from '../../../../src/modules/documentation/model/field';
import { docAnswerFields } from '../../../../src/modules/documentation/view-helpers/response-fields';
import { atlasData, operationData, serviceData } from '../../../fixtures/documentation';

const object = (properties: object) => ({ type: 'object', properties });
const wide = (count: number, schema: object) =>
  object(Object.fromEntries(Array.from({ length: count }, (_, number) => [`m${number}`, schema])));

function fieldsOf(responseSchema: object, kind: 'rest' | 'rpc' = 'rpc'): readonly Field[] {
  const operation = operationData({ responseSchema: { ...responseSchema } });
  const api = new Api({ ...atlasData, services: [serviceData({ kind, operations: [operation] })] });
  const [service] = api.getServices();
  return docAnswerFields(service!, service!.getOperations()[0]!);
}

const depthOf = (fields: readonly Field[]): number =>
  fields.length === 0 ? 0 : 1 + Math.max(...fields.map((field) => depthOf(field.getFields())));

describe('the fields of an answer', () => {
  const deep = object({ a: object({ b: object({ c: object({ d: { type: 'string' } }) }) }) });

  it('are all there where a reader can take them in, those of lists too', () => {
    expect(depthOf(fieldsOf(deep))).toBe(4);
    expect(depthOf(fieldsOf({ type: 'array', items: deep }))).toBe(4);
  });

  it('are the upper levels of a larger answer, and at least the first', () => {
    const leaf = { type: 'string' };
    expect(depthOf(fieldsOf(wide(5, wide(5, wide(5, leaf)))))).toBe(2);
    const list = fieldsOf({ type: 'array', items: wide(20, wide(20, leaf)) });
    expect([list.length, depthOf(list)]).toEqual([20, 1]);
    expect(fieldsOf(wide(300, leaf))).toHaveLength(300);
  });

  it('are those of the service where it is a resource, and stand there', () => {
    expect(fieldsOf(deep, 'rest')).toEqual([]);
  });
});
