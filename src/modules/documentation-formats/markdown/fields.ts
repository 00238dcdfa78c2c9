import type { Field, JsonSchema, ParameterData } from '../../documentation';
import { code, plain, table } from './text';

/** The fields of a body as a table, the inner ones behind a dot: `currency.code`. */
export function fieldTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Required', 'Description'],
    fields.flatMap((field) => rowsOf(field, '')),
  );
}

function rowsOf(field: Field, above: string): readonly (readonly string[])[] {
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
    ...field.getFields().flatMap((inner) => rowsOf(inner, `${name}.`)),
  ];
}

/** Parameters of route or query as a table. */
export function parameterTable(parameters: readonly ParameterData[]): string {
  return table(
    ['Parameter', 'Type', 'Required', 'Description'],
    parameters.map(({ name, schema, required, description, example }) =>
      row(name, typeName(schema), required, description, schema, example),
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
    // In a cell there is no room for blocks: the description's own marks stay, its lines become one.
    description.replace(/\s+/g, ' ').trim(),
    ...limits(schema),
    ...(example === undefined ? [] : [`Example ${code(JSON.stringify(example))}.`]),
  ];
  return [code(name), plain(type), required ? 'yes' : 'no', notes.filter((note) => note !== '').join(' ')];
}

function typeName({ type }: JsonSchema): string {
  return Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
}

/** What a schema asks of a value, in words. */
function limits(schema: JsonSchema): readonly string[] {
  const { enum: choices, const: constant, format, pattern, minimum, maximum, default: preset } = schema;
  const { minLength, maxLength } = schema;
  const said = (words: string, value: unknown): string[] =>
    value === undefined
      ? []
      : [`${words} ${code(typeof value === 'string' ? value : JSON.stringify(value))}.`];
  return [
    ...(Array.isArray(choices)
      ? [`One of ${choices.map((one: unknown) => code(JSON.stringify(one))).join(', ')}.`]
      : []),
    ...(constant === undefined ? [] : [`Always ${code(JSON.stringify(constant))}.`]),
    ...said('Format', format),
    ...said('Matches', pattern),
    ...said('At least', minimum),
    ...said('At most', maximum),
    ...(typeof minLength === 'number' ? [`At least ${minLength} characters.`] : []),
    ...(typeof maxLength === 'number' ? [`At most ${maxLength} characters.`] : []),
    ...(preset === undefined ? [] : [`Default ${code(JSON.stringify(preset))}.`]),
  ];
}
