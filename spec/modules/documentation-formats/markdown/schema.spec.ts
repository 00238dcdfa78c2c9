import { parameterTable } from '../../../../src/modules/documentation-formats/markdown/schema';

const notesOf = (schema: Readonly<Record<string, unknown>>): string | undefined =>
  /\| no \| (.*) \|$/m.exec(
    parameterTable(
      [{ name: 'of', in: 'query', schema, required: false, description: '', example: undefined }],
      new Map(),
    ),
  )?.[1];

describe('the constraints of a schema', () => {
  it.each([
    [{ minimum: 1, maximum: 9 }, 'At least `1`. At most `9`.'],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 1.5 }, 'Above `0`. Below `1.5`.'],
    [{ multipleOf: 0.01 }, 'A multiple of `0.01`.'],
    [{ minLength: 1, maxLength: 20 }, 'At least 1 character. At most 20 characters.'],
    [{ minItems: 2, maxItems: 1, uniqueItems: true }, 'At least 2 items. At most 1 item. Unique items.'],
    [{ format: 'date', pattern: '^2', default: '2' }, 'Format `date`. Matches `^2`. Default `"2"`.'],
  ])('are described: %j', (schema, words) => {
    expect(notesOf(schema)).toBe(words);
  });
});
