import { ENGLISH, type PageLanguage } from '../../language/languages';
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
export function typePieces(
  schema: SchemaDescription,
  language: PageLanguage = ENGLISH,
): readonly TypePiece[] {
  return new TypePieces(language).of(schema);
}

/** Returns the types of a value, each as a list of parts. */
type Choices = readonly (readonly TypePiece[])[];

const piece = (text: string, link = ''): readonly TypePiece[] => [{ text, link }];

/** Maximum number of labels in a type; longer lists are counted. */
const MAX_LABELS = 3;

class TypePieces {
  readonly #language: PageLanguage;

  constructor(language: PageLanguage) {
    this.#language = language;
  }

  of(schema: SchemaDescription): readonly TypePiece[] {
    return this.#joined(this.#choicesOf(schema));
  }

  #joined(choices: Choices): readonly TypePiece[] {
    const or = piece(this.#language.text('type.or'));
    return choices.flatMap((choice, at) => [...(at === 0 ? [] : or), ...choice]);
  }

  #choicesOf(schema: SchemaDescription): Choices {
    const { isNever, isReference, isNullable, name, link } = schema;
    if (isNever) return [piece(this.#language.text('type.none'))];
    const nulls = isNullable ? [piece('null')] : [];
    if (isReference) return [piece(name, link), ...nulls];
    const types = schema.types.map((type) => this.#choiceOf(type, schema));
    const all = types.length > 0 ? types : this.#alternativesOf(schema);
    return name === '' ? [...all, ...nulls] : [[...this.#joined(all), ...piece(` (${name})`)], ...nulls];
  }

  #choiceOf(type: string, { items, members, values, places }: SchemaDescription): readonly TypePiece[] {
    if (type === 'array' && items !== undefined && places.length === 0)
      return [...piece(this.#language.text('type.arrayOf')), ...this.#grouped(items)];
    const [only] = values;
    const isMap = type === 'object' && members.length === 0 && values.length === 1 && only !== undefined;
    return isMap ? [...piece(this.#language.text('type.mapOf')), ...this.#grouped(only.schema)] : piece(type);
  }

  #grouped(schema: SchemaDescription): readonly TypePiece[] {
    const choices = this.#choicesOf(schema);
    const whole = this.#joined(choices);
    return choices.length > 1 ? [...piece('('), ...whole, ...piece(')')] : whole;
  }

  #alternativesOf({ unions, members, items }: SchemaDescription): Choices {
    const [union] = unions;
    // A schema without a type allows any type, but declared members imply objects.
    if (union === undefined) {
      const any = items === undefined ? this.#language.text('type.any') : 'array';
      return [piece(members.length > 0 ? 'object' : any)];
    }
    const count = union.alternatives.length + union.more;
    return count <= MAX_LABELS
      ? union.alternatives.map(({ label, schema }) => piece(label, schema.link))
      : [piece(this.#language.text('type.alternatives', { count }))];
  }
}
