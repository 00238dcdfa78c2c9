import { Type } from '@sinclair/typebox';
import { describedMembers } from '../../../../../src/modules/admin/actions/texts/described-members';

describe('The described members of a schema', () => {
  it('include members of nested objects, arrays and maps', () => {
    const schema = Type.Object({
      name: Type.String({ description: 'Its name.' }),
      place: Type.Object({ city: Type.String() }, { description: 'Where.' }),
      parts: Type.Array(Type.Object({ code: Type.String({ description: 'A code.' }) })),
      labels: Type.Object({}, { additionalProperties: Type.Object({ text: Type.String() }) }),
    });
    expect(
      describedMembers(schema).map(({ name, path, description }) => [name, path.join('.'), description]),
    ).toEqual([
      ['name', 'properties.name', 'Its name.'],
      ['place', 'properties.place', 'Where.'],
      ['place.city', 'properties.place.properties.city', ''],
      ['parts', 'properties.parts', ''],
      ['parts[].code', 'properties.parts.items.properties.code', 'A code.'],
      ['labels', 'properties.labels', ''],
      ['labels{}.text', 'properties.labels.additionalProperties.properties.text', ''],
    ]);
  });

  it('are limited in depth', () => {
    const endless: Record<string, unknown> = { type: 'object' };
    endless.properties = { again: endless };
    expect(describedMembers(endless).length).toBeLessThan(20);
    for (const odd of [undefined, null, true, 'text', [], { properties: [] }, { properties: { a: true } }]) {
      expect(describedMembers(odd)).toEqual([]);
    }
  });
});
