import { readFileSync } from 'node:fs';
import nunjucks from 'nunjucks';
import { didYouMean } from '../text/closest-match';
import { positionAt, type TextPosition } from '../text/text-position';
import { unrenderedBlocks } from './template-blocks';
import { findCycle, type Reference } from './template-cycles';
import {
  descendants,
  nodeOf,
  positionOf,
  syntaxTree,
  type CheckedTemplate,
  type TemplateNode,
} from './template-tree';

/** The errors in templates, and the templates that they reference. */
export interface TemplateReport {
  readonly errors: readonly string[];
  /** Blocks that are never rendered; only without errors. */
  readonly warnings: readonly string[];
  readonly referenced: ReadonlySet<string>;
}

/** The position is missing if Nunjucks does not report it. */
type Report = (message: string, position?: TextPosition) => void;

/** Node types that reference another template in their member `template`. */
const REFERENCING: readonly string[] = ['Include', 'Extends', 'Import', 'FromImport'];

/**
 * Checks templates without rendering them: their syntax, the templates that they reference with `include`, `extends`,
 * `import` and `part()`, and their filters. A template that always references itself is an error; one that does so in a
 * condition or a loop is not. A block that is never rendered is a warning: an upgrade may have removed it from a layout.
 *
 * @param known the names in view_manager.template_map
 * @param find a template of the map by its name, checked or not
 */
export function checkTemplates(
  templates: readonly CheckedTemplate[],
  known: readonly string[],
  find: (name: string) => CheckedTemplate,
): TemplateReport {
  const environment = new nunjucks.Environment(null, { autoescape: true });
  const errors: string[] = [];
  const referenced = new Set<string>();
  for (const template of templates) {
    const report: Report = (message, position) => {
      const at = position === undefined ? '' : `:${position.line}:${position.column}`;
      errors.push(`${template.shown}${at}: the template "${template.name}": ${message}`);
    };
    const root = parseTemplate(readFileSync(template.file, 'utf8'), environment, report);
    if (root === undefined) continue;
    for (const node of descendants(root)) {
      for (const name of templatesReferencedBy(node)) {
        referenced.add(name);
        if (!known.includes(name)) report(unknown('template', name, known), positionOf(node));
      }
      const missing = missingFilter(node, environment);
      if (missing !== undefined) report(missing, positionOf(node));
    }
  }
  // Templates that cannot be parsed, or reference unknown ones, have an error already.
  if (errors.length === 0) errors.push(...cyclesOf(templates, known, find));
  const warnings = errors.length === 0 ? unrenderedBlocks(templates, known, find) : [];
  return { errors, warnings, referenced };
}

/** Describes the templates that always reference themselves; each circle of templates once. */
function cyclesOf(
  templates: readonly CheckedTemplate[],
  known: readonly string[],
  find: (name: string) => CheckedTemplate,
): readonly string[] {
  const found = new Map<string, readonly Reference[]>();
  const referencesOf = (name: string): readonly Reference[] => {
    const references =
      found.get(name) ?? constantReferences(find(name)).filter((one) => known.includes(one.name));
    found.set(name, references);
    return references;
  };
  const reported = new Set<string>();
  return templates.flatMap(({ name, shown }) => {
    const way = reported.has(name) ? undefined : findCycle(name, referencesOf);
    const [first] = way ?? [];
    if (way === undefined || first === undefined) return [];
    for (const one of way) reported.add(one.name);
    const chain = [name, ...way.map((one) => one.name)].map((one) => `"${one}" (${find(one).shown})`);
    return [
      `${shown}:${first.line}:${first.column}: the template "${name}" always renders itself again: ${chain.join(' → ')}. Remove a reference, or put it into an {% if %} that ends the recursion.`,
    ];
  });
}

/** Node types whose content may not be rendered: another template may replace a block. */
const OPTIONAL: readonly string[] = [
  ...['If', 'IfAsync', 'InlineIf', 'And', 'Or', 'Switch', 'For', 'AsyncEach', 'AsyncAll'],
  ...['Block', 'Macro', 'Caller'],
];

/** Returns the templates that a template renders whenever it is rendered. */
function constantReferences({ file }: CheckedTemplate): readonly Reference[] {
  const root = syntaxTree(readFileSync(file, 'utf8'));
  const nodes = root === undefined ? [] : [...descendants(root, OPTIONAL)];
  return nodes.flatMap((node) => {
    const reference = referenceIn(node);
    const names = reference?.typename === 'Literal' ? literalsOf(reference) : [];
    return names.map((name) => ({ name, ...positionOf(node) }));
  });
}

function unknown(kind: string, name: string, known: readonly string[]): string {
  return `${kind} "${name}" does not exist.${didYouMean(name, known)}`;
}

/** Reports errors, and returns undefined if the template cannot be compiled. */
function parseTemplate(
  text: string,
  environment: nunjucks.Environment,
  report: Report,
): TemplateNode | undefined {
  let root: TemplateNode | undefined;
  try {
    root = syntaxTree(text);
    // Some errors, such as duplicate blocks, are only found by the compiler.
    new nunjucks.Template(text, environment, undefined, true);
    return root;
  } catch (error) {
    const { message, lineno, colno } = Object(error) as {
      message?: unknown;
      lineno?: unknown;
      colno?: unknown;
    };
    // The first lines of the message may repeat the position.
    const reason = String(message).split('\n').at(-1)?.trim() ?? '';
    const hasPosition = typeof lineno === 'number' && typeof colno === 'number' && lineno > 0;
    // A syntax error without a position is at the end of the file.
    const end = root === undefined ? positionAt(text, text.trimEnd().length) : undefined;
    const position = hasPosition ? { line: lineno, column: colno } : end;
    report(reason.replace(/^(?:Template render error|Error): /, ''), position);
    return undefined;
  }
}

/** Returns the names that are known without rendering. `ignore missing` makes no difference: the map is complete. */
function templatesReferencedBy(node: TemplateNode): readonly string[] {
  return literalsOf(referenceIn(node));
}

/** Returns the expression that names another template. */
function referenceIn({ typename, members }: TemplateNode): TemplateNode | undefined {
  if (REFERENCING.includes(typename)) return nodeOf(members.template);
  if (typename !== 'FunCall' || nodeOf(members.name)?.members.value !== 'part') return undefined;
  const args: unknown = nodeOf(members.args)?.members.children;
  return Array.isArray(args) ? nodeOf(args[0]) : undefined;
}

/** Returns the string literals that an expression may evaluate to: a literal, or both branches of an inline if. */
function literalsOf(node: TemplateNode | undefined): readonly string[] {
  if (node?.typename === 'InlineIf')
    return [...literalsOf(nodeOf(node.members.body)), ...literalsOf(nodeOf(node.members.else_))];
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
