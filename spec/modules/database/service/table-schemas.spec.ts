import { Type, type TProperties } from '@sinclair/typebox';
import { readSchema } from '../../../../src/modules/database/service/table-schemas';
import type { Table } from '../../../../src/modules/database/table/table';

it('the optional members of a table are those of TypeBox, with the keywords in the same order', () => {
  const schemas: TProperties = {
    name: Type.String({ maxLength: 9, description: 'A name.' }),
    size: Type.Unsafe({ type: ['integer', 'null'], readOnly: true }),
    other: Type.Unknown(),
  };
  const columns = Object.entries(schemas).map(([name, schema]) => ({ name, schema }));
  const own = readSchema({ columns, embeds: [] } as unknown as Table);
  const expected = Type.Object(
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)])),
    { additionalProperties: false },
  );
  expect(own).toStrictEqual(expected);
  expect(JSON.stringify(own)).toBe(JSON.stringify(expected));
  expect(Type.Partial(own)).toStrictEqual(Type.Partial(expected));
});
