import { readFileSync } from 'node:fs';
import nunjucks from 'nunjucks';
import { closestMatch } from '../text/closest-match';

/** A template that is looked at before it is rendered. */
export interface CheckedTemplate {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** How messages name the file. */
  readonly shown: string;
}

/** What is wrong with templates, and which others they name. */
export interface TemplateReport {
  readonly faults: readonly string[];
  readonly named: ReadonlySet<string>;
}

/** A node of a parsed template, as far as it is looked at. */
interface TemplateNode {
  readonly typename: string;
  /** From 0. */
  readonly lineno: number;
  readonly colno: number;
  readonly members: Readonly<Record<string, unknown>>;
}

/** From 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place is missing where nunjucks does not say it. */
type Report = (what: string, place?: Place) => void;

function placeOf({ lineno, colno }: TemplateNode): Place {
  return { line: lineno + 1, column: colno + 1 };
}

/** Tags that name another template in their member `template`. */
const REFERRING: readonly string[] = ['Include', 'Extends', 'Import', 'FromImport'];

/**
 * Parses templates without rendering them: their syntax, the templates that they name in `include`, `extends`, `import`
 * and `part()`, their filters and tests.
 *
 * @param known the names in view_manager.template_map
 */
export function checkTemplates(
  templates: readonly CheckedTemplate[],
  known: readonly string[],
): TemplateReport {
  const environment = new nunjucks.Environment(null, { autoescape: true });
  const faults: string[] = [];
  const named = new Set<string>();
  for (const template of templates) {
    const tell: Report = (what, place) => {
      const at = place === undefined ? '' : `:${place.line}:${place.column}`;
      faults.push(`${template.shown}${at}: the template "${template.name}": ${what}`);
    };
    const root = parsed(readFileSync(template.file, 'utf8'), environment, tell);
    if (root === undefined) continue;
    for (const node of descendants(root)) {
      for (const name of templatesNamedBy(node)) {
        named.add(name);
        if (!known.includes(name)) tell(unknown('template', name, known), placeOf(node));
      }
      const missing = missingFilter(node, environment);
      if (missing !== undefined) tell(missing, placeOf(node));
    }
  }
  return { faults, named };
}

function unknown(kind: string, name: string, known: readonly string[]): string {
  const meant = closestMatch(name, known);
  return `there is no ${kind} "${name}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`;
}

/** @returns undefined where the template cannot be compiled, which is told */
function parsed(text: string, environment: nunjucks.Environment, tell: Report): TemplateNode | undefined {
  let root: TemplateNode | undefined;
  try {
    const parser: unknown = Reflect.get(nunjucks, 'parser');
    const parse: unknown =
      typeof parser === 'object' && parser !== null ? Reflect.get(parser, 'parse') : undefined;
    root = typeof parse === 'function' ? nodeOf(Reflect.apply(parse, parser, [text])) : undefined;
    // Some mistakes are only found when it is compiled, such as two blocks of one name.
    new nunjucks.Template(text, environment, undefined, true);
    return root;
  } catch (error) {
    const { message, lineno, colno } = Object(error) as {
      message?: unknown;
      lineno?: unknown;
      colno?: unknown;
    };
    // The message may begin with the place, too.
    const reason = String(message).split('\n').at(-1)?.trim() ?? '';
    const isPlaced = typeof lineno === 'number' && typeof colno === 'number' && lineno > 0;
    // Without a place, what was parsed has come to the end of the file.
    const end = root === undefined ? endOf(text) : undefined;
    const place = isPlaced ? { line: lineno, column: colno } : end;
    tell(reason.replace(/^(?:Template render error|Error): /, ''), place);
    return undefined;
  }
}

function endOf(text: string): Place {
  const lines = text.trimEnd().split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function nodeOf(value: unknown): TemplateNode | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [typename, lineno, colno, fields]: readonly unknown[] = ['typename', 'lineno', 'colno', 'fields'].map(
    (member): unknown => Reflect.get(value, member),
  );
  if (typeof typename !== 'string' || !Array.isArray(fields)) return undefined;
  const members = Object.fromEntries(
    fields.map((field): [string, unknown] => [String(field), Reflect.get(value, String(field))]),
  );
  return { typename, lineno: Number(lineno ?? 0), colno: Number(colno ?? 0), members };
}

function* descendants(node: TemplateNode): Generator<TemplateNode, void> {
  yield node;
  for (const member of Object.values(node.members)) {
    for (const one of Array.isArray(member) ? member : [member]) {
      const below = nodeOf(one);
      if (below !== undefined) yield* descendants(below);
    }
  }
}

/** The names that can be told without rendering it. The map is complete: `ignore missing` changes nothing. */
function templatesNamedBy({ typename, members }: TemplateNode): readonly string[] {
  if (REFERRING.includes(typename)) return textsOf(nodeOf(members.template));
  if (typename !== 'FunCall' || nodeOf(members.name)?.members.value !== 'part') return [];
  const given: unknown = nodeOf(members.args)?.members.children;
  return Array.isArray(given) ? textsOf(nodeOf(given[0])) : [];
}

/** The texts that an expression may be: one that is written out, or either of a choice. */
function textsOf(node: TemplateNode | undefined): readonly string[] {
  if (node?.typename === 'InlineIf')
    return [...textsOf(nodeOf(node.members.body)), ...textsOf(nodeOf(node.members.else_))];
  return node?.typename === 'Literal' && typeof node.members.value === 'string' ? [node.members.value] : [];
}

function missingFilter(
  { typename, members }: TemplateNode,
  environment: nunjucks.Environment,
): string | undefined {
  if (typename !== 'Filter') return undefined;
  const name: unknown = nodeOf(members.name)?.members.value;
  const filters: unknown = Reflect.get(environment, 'filters');
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return undefined;
  return Object.hasOwn(filters, name) ? undefined : unknown('filter', name, Object.keys(filters));
}
