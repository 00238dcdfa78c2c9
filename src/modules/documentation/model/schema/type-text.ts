import type { SchemaDescription } from './description';

/** A part of the text of a type; names of schemas that are described elsewhere are links. */
export interface TypePiece {
  readonly text: string;
  /** A fragment; empty for none. */
  readonly link: string;
}

/**
 * The type of a described value in words.
 *
 * @example
 * typeText(describeSchema({ type: 'array', items: { type: ['string', 'null'] } })); // 'array of (string or null)'
 */
export function typeText(schema: SchemaDescription): string {
  return typePieces(schema)
    .map(({ text }) => text)
    .join('');
}

/** Returns the type of a described value as text with links. */
export function typePieces(schema: SchemaDescription): readonly TypePiece[] {
  return joined(choicesOf(schema));
}

/** Returns the types of a value, each as a list of parts. */
type Choices = readonly (readonly TypePiece[])[];

const piece = (text: string, link = ''): readonly TypePiece[] => [{ text, link }];

function joined(choices: Choices): readonly TypePiece[] {
  return choices.flatMap((choice, at) => [...(at === 0 ? [] : piece(' or ')), ...choice]);
}

function choicesOf(schema: SchemaDescription): Choices {
  const { isNever, isReference, isNullable, name, link } = schema;
  if (isNever) return [piece('no value')];
  const nulls = isNullable ? [piece('null')] : [];
  if (isReference) return [piece(name, link), ...nulls];
  const types = schema.types.map((type) => choiceOf(type, schema));
  const all = types.length > 0 ? types : alternativesOf(schema);
  return name === '' ? [...all, ...nulls] : [[...joined(all), ...piece(` (${name})`)], ...nulls];
}

function choiceOf(type: string, { items, members, values, places }: SchemaDescription): readonly TypePiece[] {
  if (type === 'array' && items !== undefined && places.length === 0)
    return [...piece('array of '), ...grouped(items)];
  const [only] = values;
  const isMap = type === 'object' && members.length === 0 && values.length === 1 && only !== undefined;
  return isMap ? [...piece('map of '), ...grouped(only.schema)] : piece(type);
}

function grouped(schema: SchemaDescription): readonly TypePiece[] {
  const choices = choicesOf(schema);
  return choices.length > 1 ? [...piece('('), ...joined(choices), ...piece(')')] : joined(choices);
}

/** Maximum number of labels in a type; longer lists are counted. */
const MAX_LABELS = 3;

function alternativesOf({ unions, members, items }: SchemaDescription): Choices {
  const [union] = unions;
  // A schema without a type allows any type, but declared members imply objects.
  if (union === undefined)
    return [piece(members.length > 0 ? 'object' : items === undefined ? 'any' : 'array')];
  const count = union.alternatives.length + union.more;
  return count <= MAX_LABELS
    ? union.alternatives.map(({ label, schema }) => piece(label, schema.link))
    : [piece(`one of ${count} alternatives`)];
}
