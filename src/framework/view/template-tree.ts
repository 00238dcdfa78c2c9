import nunjucks from 'nunjucks';
import type { TextPosition } from '../text/text-position';

/** A template to check. */
export interface CheckedTemplate {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** The file name for messages. */
  readonly shown: string;
}

/** A node of the Nunjucks syntax tree. */
export interface TemplateNode {
  readonly typename: string;
  /** From 0. */
  readonly lineno: number;
  readonly colno: number;
  readonly members: Readonly<Record<string, unknown>>;
}

export function positionOf({ lineno, colno }: TemplateNode): TextPosition {
  return { line: lineno + 1, column: colno + 1 };
}

/** @throws the error of Nunjucks for a text that is not a template */
export function syntaxTree(text: string): TemplateNode | undefined {
  const parser: unknown = Reflect.get(nunjucks, 'parser');
  const parse: unknown =
    typeof parser === 'object' && parser !== null ? Reflect.get(parser, 'parse') : undefined;
  return typeof parse === 'function' ? nodeOf(Reflect.apply(parse, parser, [text])) : undefined;
}

export function nodeOf(value: unknown): TemplateNode | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [typename, lineno, colno, fields]: readonly unknown[] = ['typename', 'lineno', 'colno', 'fields'].map(
    (member): unknown => Reflect.get(value, member),
  );
  if (typeof typename !== 'string' || !Array.isArray(fields)) return undefined;
  // Nunjucks does not list that of `{% set %} … {% endset %}` among the fields.
  const named = typename === 'Set' ? [...(fields as readonly unknown[]), 'body'] : fields;
  const members = Object.fromEntries(
    named.map((field): [string, unknown] => [String(field), Reflect.get(value, String(field))]),
  );
  return { typename, lineno: Number(lineno ?? 0), colno: Number(colno ?? 0), members };
}

/** @param skipped the types of nodes to leave out, with all in them */
export function* descendants(
  node: TemplateNode,
  skipped: readonly string[] = [],
): Generator<TemplateNode, void> {
  if (skipped.includes(node.typename)) return;
  yield node;
  for (const member of Object.values(node.members)) {
    for (const one of Array.isArray(member) ? member : [member]) {
      const child = nodeOf(one);
      if (child !== undefined) yield* descendants(child, skipped);
    }
  }
}
