import { readFileSync } from 'node:fs';
import { didYouMean } from '../text/closest-match';
import {
  descendants,
  nodeOf,
  positionOf,
  syntaxTree,
  type CheckedTemplate,
  type TemplateNode,
} from './template-tree';

/** Returns the template of the map with a name, checked or not. */
type Find = (name: string) => CheckedTemplate;

/**
 * Describes the blocks that are never rendered, which Nunjucks ignores silently: a template that extends another one
 * renders only blocks that the other one has, and those within them.
 * @param templates without errors
 * @param known the names in view_manager.template_map
 */
export function unrenderedBlocks(
  templates: readonly CheckedTemplate[],
  known: readonly string[],
  find: Find,
): readonly string[] {
  return templates.flatMap(({ name, file, shown }) => {
    const root = treeOf(file);
    const base = root === undefined ? undefined : baseOf(root, known);
    const available = base === undefined ? undefined : renderedBlocks(base, known, find);
    if (root === undefined || available === undefined) return [];
    return outermostBlocks(root).flatMap((block) => {
      const title = nameOf(block);
      if (title === undefined || available.has(title)) return [];
      const { line, column } = positionOf(block);
      return [
        `${shown}:${line}:${column}: the template "${name}": the block "${title}" is never rendered, as "${base}" has no block of this name.${didYouMean(title, available)} Available: ${[...available].join(', ') || 'none'}.`,
      ];
    });
  });
}

/** Returns the names of the blocks that a template renders; undefined if they depend on the request. */
function renderedBlocks(name: string, known: readonly string[], find: Find): ReadonlySet<string> | undefined {
  const root = treeOf(find(name).file);
  if (root === undefined) return undefined;
  if (extendsCount(root) === 0) return new Set(namesOf([...descendants(root)]));
  const base = baseOf(root, known);
  const inherited = base === undefined ? undefined : renderedBlocks(base, known, find);
  if (inherited === undefined) return undefined;
  const own = outermostBlocks(root).filter((block) => inherited.has(nameOf(block) ?? ''));
  return new Set([...inherited, ...namesOf(own.flatMap((block) => [...descendants(block)]))]);
}

function treeOf(file: string): TemplateNode | undefined {
  return syntaxTree(readFileSync(file, 'utf8'));
}

function extendsCount(root: TemplateNode): number {
  return [...descendants(root)].filter(({ typename }) => typename === 'Extends').length;
}

/** Returns the template that another one extends whenever it is rendered; undefined if it may extend others as well. */
function baseOf(root: TemplateNode, known: readonly string[]): string | undefined {
  const children: unknown = root.members.children;
  const nodes = Array.isArray(children) ? children.map(nodeOf) : [];
  const reference = nodes.find((node) => node?.typename === 'Extends');
  const name = nodeOf(reference?.members.template);
  if (extendsCount(root) !== 1 || name?.typename !== 'Literal') return undefined;
  return known.find((one) => one === name.members.value);
}

/** Returns the blocks that are in no other one. Those of macros are where the macros are called. */
function outermostBlocks(root: TemplateNode): readonly TemplateNode[] {
  const blocks = [...descendants(root, ['Macro', 'Caller'])].filter(({ typename }) => typename === 'Block');
  const inner = new Set(
    blocks.flatMap((block) => namesOf([...descendants(block)].filter((node) => node !== block))),
  );
  return blocks.filter((block) => !inner.has(nameOf(block) ?? ''));
}

function namesOf(nodes: readonly TemplateNode[]): readonly string[] {
  return nodes.flatMap((node) => nameOf(node) ?? []);
}

/** Returns the name of a block; undefined for another node. */
function nameOf({ typename, members }: TemplateNode): string | undefined {
  const name: unknown = typename === 'Block' ? nodeOf(members.name)?.members.value : undefined;
  return typeof name === 'string' ? name : undefined;
}
