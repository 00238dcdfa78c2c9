import { truncate } from '../../../framework';
import { ENGLISH } from '../language/languages';
import { constraintLabel, constraintValue, type Constraint } from '../model/schema/constraints';

/** Characters of a description on a page; these take about ten milliseconds to render. */
const MAX_PROSE_LENGTH = 32_768;

/** Characters of an example or a schema that a page shows. */
const MAX_JSON_LENGTH = 65_536;

/** Characters of a value in a line. */
const MAX_VALUE_LENGTH = 500;

/** Values that are listed in a line. */
const MAX_CHOICES = 50;

/** The beginning of a text, and whether it is truncated. */
export interface Excerpt {
  readonly text: string;
  readonly isCut: boolean;
}

/** Shortens a description for a page, at the end of a paragraph, line or word if possible. */
export function proseExcerpt(text: string, longest = MAX_PROSE_LENGTH): Excerpt {
  if (text.length <= longest) return { text, isCut: false };
  const beginning = text.slice(0, longest);
  const end = ['\n\n', '\n', ' '].map((mark) => beginning.lastIndexOf(mark)).find((at) => at > longest / 2);
  return { text: end === undefined ? wellFormed(beginning) : beginning.slice(0, end), isCut: true };
}

/** Formats a value for a line: text unchanged, other values as JSON, shortened. */
export function valueExcerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return truncate(text, MAX_VALUE_LENGTH);
}

/** Formats a value as indented JSON; undefined if that is too long for a page. */
export function jsonExcerpt(value: unknown): string | undefined {
  const text = JSON.stringify(value, null, 2);
  return text.length > MAX_JSON_LENGTH ? undefined : text;
}

/** The first values of a list. */
export interface ListExcerpt<Value> {
  readonly values: readonly Value[];
  /** The number of further values. */
  readonly more: number;
}

/** A constraint for a page: its label and its first values. */
export interface ConstraintExcerpt extends ListExcerpt<string> {
  readonly label: string;
}

/** Formats the label and the first values of a constraint. Text is quoted only among values of other types. */
export function constraintExcerpt(constraint: Constraint, language = ENGLISH): ConstraintExcerpt {
  const isText = constraint.values.every((value) => typeof value === 'string' && value !== '');
  const { values, more } = listExcerpt(constraint.values);
  const plain = constraint.keyword === 'enum' && isText;
  return {
    label: constraintLabel(constraint, language),
    values: values.map((value) => valueExcerpt(plain ? value : constraintValue(constraint, value))),
    more,
  };
}

/** Returns the first values of a list. */
export function listExcerpt<Value>(values: readonly Value[]): ListExcerpt<Value> {
  return { values: values.slice(0, MAX_CHOICES), more: Math.max(0, values.length - MAX_CHOICES) };
}

/** Removes half a surrogate pair from the end. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
