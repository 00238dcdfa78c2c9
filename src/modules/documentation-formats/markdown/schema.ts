import {
  constraintLabel,
  constraintValue,
  describeSchema,
  hasStructure,
  hasValues,
  listExcerpt,
  typeText,
  valueExcerpt,
  type Constraint,
  type ParameterData,
  type SchemaDescription,
} from '../../documentation';
import { code, paragraphs, plain, table } from './text';

/**
 * Renders a described schema: its type unless it is an object, a table of its members with their paths
 * (`currencies[].code`), and the alternatives of its unions.
 */
export function schemaText(schema: SchemaDescription, path = ''): string {
  const { rows, unions, isCut } = contentOf(schema, path);
  return paragraphs([
    path === '' ? headOf(schema) : '',
    table(['Field', 'Type', 'Required', 'Description'], rows),
    ...unions.map(unionText),
    isCut ? 'Not all fields are shown; see [openapi](?format=openapi).' : '',
  ]);
}

/** The type of a schema, with its description of the value. */
function headOf(schema: SchemaDescription): string {
  const type = typeText(schema);
  const notes = notesOf(schema);
  if (type === 'object' && notes.length === 0) return '';
  return [`Type: ${plain(type)}.`, ...notes].join(' ');
}

interface UnionAt {
  readonly path: string;
  readonly union: SchemaDescription['unions'][number];
}

function unionText({ path, union }: UnionAt): string {
  const subject = path === '' ? '' : `${code(path)}: `;
  const count = union.kind === 'one' ? 'one of' : 'at least one of';
  const by = union.discriminator === '' ? '' : `, by ${code(union.discriminator)}`;
  const words = `${subject}${count}${by}:`;
  return paragraphs([
    words.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
    ...union.alternatives.map(({ label, schema }) =>
      paragraphs([
        [`**${plain(label)}**: ${plain(typeText(schema))}.`, ...notesOf(schema)].join(' '),
        schemaText(schema, path === '' ? ANY_PATH : path),
      ]),
    ),
    union.more === 0 ? '' : `${union.more} more; see [openapi](?format=openapi).`,
  ]);
}

/** The path of a whole schema whose type is already shown. */
const ANY_PATH = '.';

/** What is shown of a schema. */
interface Content {
  readonly rows: readonly (readonly string[])[];
  readonly unions: readonly UnionAt[];
  readonly isCut: boolean;
}

/** What a schema encloses; references to other schemas enclose nothing. */
function contentOf(schema: SchemaDescription, path: string): Content {
  const above = path === ANY_PATH ? '' : path;
  const dotted = above === '' ? '' : `${above}.`;
  const parts = [
    ...schema.members.map(({ name, isRequired, schema: member }) =>
      partOf(`${dotted}${name}`, member, isRequired ? 'yes' : 'no'),
    ),
    ...(hasValues(schema) ? schema.values : []).map((one) =>
      partOf(`${dotted}${one.pattern === '' ? '*' : `/${one.pattern}/`}`, one.schema, ''),
    ),
    ...schema.places.map((place, at) => partOf(`${above}[${at}]`, place, '')),
    ...(schema.items === undefined ? [] : [itemsOf(`${above}[]`, schema.items, schema.places.length > 0)]),
    { rows: [], unions: schema.unions.map((union) => ({ path: above, union })), isCut: false },
  ];
  return {
    rows: parts.flatMap(({ rows }) => rows),
    unions: parts.flatMap(({ unions }) => unions),
    isCut: schema.isCut || schema.more > 0 || parts.some(({ isCut }) => isCut),
  };
}

function partOf(path: string, schema: SchemaDescription, required: string): Content {
  const inner = contentOf(schema, path);
  return { ...inner, rows: [rowOf(path, schema, required), ...inner.rows] };
}

/** The type of the items is part of that of the array: they get a row only for further keywords. */
function itemsOf(path: string, items: SchemaDescription, isFurther: boolean): Content {
  const notes = notesOf(items);
  return isFurther || notes.length > 0 ? partOf(path, items, '') : contentOf(items, path);
}

/** The rows and unions of parameters, by their JSON: operations of an API have many in common. */
export type KnownParameters = Map<string, Content>;

/** Renders parameters as a table. @param known those of other tables of the same document */
export function parameterTable(parameters: readonly ParameterData[], known: KnownParameters): string {
  const described = parameters.map((parameter) => {
    const key = JSON.stringify(parameter);
    const content = known.get(key) ?? parameterContent(parameter);
    known.set(key, content);
    return content;
  });
  return paragraphs([
    table(
      ['Parameter', 'Type', 'Required', 'Description'],
      described.flatMap(({ rows }) => rows),
    ),
    ...described.flatMap(({ unions }) => unions).map(unionText),
  ]);
}

function parameterContent({ name, schema, required, description, example }: ParameterData): Content {
  const own = describeSchema(schema);
  const shown = { ...own, description, ...(example === undefined ? {} : { example }) };
  return partOf(name, shown, required ? 'yes' : 'no');
}

function rowOf(path: string, schema: SchemaDescription, required: string): readonly string[] {
  return [code(path), plain(typeText(schema)), required, notesOf(schema).join(' ')];
}

/** Describes a value in sentences, except for its type. */
function notesOf(schema: SchemaDescription): readonly string[] {
  const { description, flags, constraints, isClosed, isReference, example } = schema;
  const notes = [
    // Cells cannot contain blocks: the inline markup stays, lines are joined.
    oneLine(description),
    ...flags.map((flag) => `${flag.replace(/^./, (letter) => letter.toUpperCase())}.`),
    ...constraints.map(constraintText),
    isClosed && !isReference && hasStructure(schema) ? 'No further members.' : '',
    example === undefined ? '' : `Example ${code(valueExcerpt(JSON.stringify(example)))}.`,
  ];
  return notes.filter((note) => note !== '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function constraintText(constraint: Constraint): string {
  const { values, more } = listExcerpt(constraint.values);
  const all = values.map((value, at) => {
    const { title, description } = constraint.annotations?.[at] ?? { title: '', description: '' };
    const words = [plain(title), oneLine(description)].filter((text) => text !== '').join(': ');
    const shown = code(valueExcerpt(constraintValue(constraint, value)));
    return words === '' ? shown : `${shown} (${words})`;
  });
  const others = more === 0 ? '' : ` and ${more} more`;
  return `${[constraintLabel(constraint), all.join(', ')].filter((part) => part !== '').join(' ')}${others}.`;
}
