import type { JsonSchema } from '../model/data';

/** Characters of a description that a page shows: a chapter, and some ten milliseconds to render. */
const LONGEST_PROSE = 32_768;

/** Characters of an example or a schema that a page shows. */
const LONGEST_JSON = 65_536;

/** Characters of a value that stands in a line. */
const LONGEST_VALUE = 500;

/** Values that are listed in a line. */
const MOST_CHOICES = 50;

/** The beginning of a text, and whether there is more. */
export interface Excerpt {
  readonly text: string;
  readonly isCut: boolean;
}

/** As much of a description as a page shows: whole paragraphs, or else whole lines or words where there are any. */
export function proseExcerpt(text: string, longest = LONGEST_PROSE): Excerpt {
  if (text.length <= longest) return { text, isCut: false };
  const beginning = text.slice(0, longest);
  const end = ['\n\n', '\n', ' '].map((mark) => beginning.lastIndexOf(mark)).find((at) => at > longest / 2);
  return { text: end === undefined ? wellFormed(beginning) : beginning.slice(0, end), isCut: true };
}

/** A value as JSON, or text as it is, so far as it fits in a line. */
export function valueExcerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${wellFormed(text.slice(0, LONGEST_VALUE))}…`;
}

/** A value as JSON on several lines; undefined where that is longer than a page has room for. */
export function jsonExcerpt(value: unknown): string | undefined {
  const text = JSON.stringify(value, null, 2);
  return text.length > LONGEST_JSON ? undefined : text;
}

/** The first values of a list. */
export interface ListExcerpt<Value> {
  readonly values: readonly Value[];
  /** How many there are beside them. */
  readonly more: number;
}

/** The values that an `enum`, or a union of single values, leaves to choose from; none where any is fine. */
export function choicesOf({ enum: values, anyOf: union }: JsonSchema): ListExcerpt<unknown> {
  return listExcerpt(Array.isArray(values) ? values : constsOf(union));
}

/** As many values as fit in a line. */
export function listExcerpt<Value>(values: readonly Value[]): ListExcerpt<Value> {
  return { values: values.slice(0, MOST_CHOICES), more: Math.max(0, values.length - MOST_CHOICES) };
}

function constsOf(union: unknown): readonly unknown[] {
  const branches: readonly unknown[] = Array.isArray(union) ? union : [];
  return branches.flatMap((branch) =>
    typeof branch === 'object' && branch !== null && 'const' in branch ? [branch.const] : [],
  );
}

/** Without the first half of a character at the end. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
