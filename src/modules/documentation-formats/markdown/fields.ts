import {
  choicesOf,
  parameterType,
  shownFields,
  valueExcerpt,
  type Field,
  type JsonSchema,
  type ParameterData,
  type ShownFields,
} from '../../documentation';
import { code, paragraphs, plain, table } from './text';

/**
 * Renders fields as a table, inner fields with a path (`currency.code`), and a note if
 * fields are omitted.
 */
export function fieldTable(fields: readonly Field[]): string {
  const shown = shownFields(fields);
  return paragraphs([
    table(['Field', 'Type', 'Required', 'Description'], rowsOf(shown, '')),
    isWhole(shown) ? '' : 'Not all fields are shown; see [openapi](?format=openapi).',
  ]);
}

function isWhole({ fields, more }: ShownFields): boolean {
  return more === 0 && fields.every(isWhole);
}

function rowsOf({ fields }: ShownFields, above: string): readonly (readonly string[])[] {
  return fields.flatMap((shown) => {
    const { field } = shown;
    const name = above + field.getName();
    return [
      row(
        name,
        field.getType(),
        field.isRequired(),
        field.getDescription(),
        field.getSchema(),
        field.getExample(),
      ),
      ...rowsOf(shown, `${name}.`),
    ];
  });
}

/** Renders parameters as a table. */
export function parameterTable(parameters: readonly ParameterData[]): string {
  return table(
    ['Parameter', 'Type', 'Required', 'Description'],
    parameters.map(({ name, schema, required, description, example }) =>
      row(name, parameterType(schema), required, description, schema, example),
    ),
  );
}

function row(
  name: string,
  type: string,
  required: boolean,
  description: string,
  schema: JsonSchema,
  example: unknown,
): readonly string[] {
  const notes = [
    // Cells cannot contain blocks: the inline markup stays, lines are joined.
    description.replace(/\s+/g, ' ').trim(),
    ...limits(schema),
    ...(example === undefined ? [] : [`Example ${json(example)}.`]),
  ];
  return [code(name), plain(type), required ? 'yes' : 'no', notes.filter((note) => note !== '').join(' ')];
}

/** Describes the constraints of a schema. */
function limits(schema: JsonSchema): readonly string[] {
  const { const: constant, uniqueItems, default: preset } = schema;
  const { values, more } = choicesOf(schema);
  const others = more === 0 ? '' : ` and ${more} more`;
  return [
    ...(values.length === 0 ? [] : [`One of ${values.map(json).join(', ')}${others}.`]),
    ...(constant === undefined ? [] : [`Always ${json(constant)}.`]),
    ...BOUNDS.flatMap(([keyword, words]) => {
      const bound = schema[keyword];
      return bound === undefined ? [] : [`${words} ${code(valueExcerpt(bound))}.`];
    }),
    ...AMOUNTS.flatMap(([keyword, words, unit]) => {
      const amount = schema[keyword];
      return typeof amount === 'number' ? [`${words} ${amount} ${unit}${amount === 1 ? '' : 's'}.`] : [];
    }),
    ...(uniqueItems === true ? ['Unique items.'] : []),
    ...(preset === undefined ? [] : [`Default ${json(preset)}.`]),
  ];
}

const BOUNDS = [
  ['format', 'Format'],
  ['pattern', 'Matches'],
  ['minimum', 'At least'],
  ['maximum', 'At most'],
  ['exclusiveMinimum', 'Above'],
  ['exclusiveMaximum', 'Below'],
  ['multipleOf', 'A multiple of'],
] as const;

const AMOUNTS = [
  ['minLength', 'At least', 'character'],
  ['maxLength', 'At most', 'character'],
  ['minItems', 'At least', 'item'],
  ['maxItems', 'At most', 'item'],
] as const;

function json(value: unknown): string {
  return code(valueExcerpt(JSON.stringify(value)));
}
