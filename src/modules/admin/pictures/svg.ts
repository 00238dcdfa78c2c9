import { escapeXml } from './escape-xml';
import type { PlacedColumn, PlacedEdge, PlacedNode, PlacedPicture, PlacedText } from './picture';

/** The texts of a picture as a whole. */
export interface PictureTexts {
  /** The prefix of the element IDs. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** A style sheet, for pictures outside the pages. */
  readonly style?: string;
}

/**
 * Writes a picture as SVG. Pages style its classes in `admin.css`: their Content-Security-Policy refuses other styles. Each column is a list for screen readers, and each node names its connections.
 */
export function toSvg(picture: PlacedPicture, { id, title, description, style }: PictureTexts): string {
  const { width, height, columns, edges } = picture;
  return [
    `<svg class="picture" xmlns="http://www.w3.org/2000/svg" role="group" aria-labelledby="${escapeXml(id)}-title" aria-describedby="${escapeXml(id)}-description" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="${escapeXml(id)}-title">${escapeXml(title)}</title>`,
    `<desc id="${escapeXml(id)}-description">${escapeXml(description)}</desc>`,
    ...(style === undefined ? [] : [`<style>\n${escapeXml(style)}\n</style>`]),
    `<g aria-hidden="true">${edges.map(edgeElement).join('')}${edges.map(edgeLabel).join('')}</g>`,
    ...columns.map((column, at) => columnElement(column, `${id}-column-${at + 1}`)),
    '</svg>',
  ].join('\n');
}

function edgeElement({ kind, weight, path }: PlacedEdge): string {
  const name = weight === undefined ? '' : ` edge-weight-${weight}`;
  return `<path class="edge edge-${kind}${name}" d="${path}"/>`;
}

/** Above all edges, so that none crosses it. */
function edgeLabel({ label }: PlacedEdge): string {
  return label === undefined ? '' : textElement('edge-label', { ...label, y: label.y + 4 });
}

function columnElement({ title, nodes }: PlacedColumn, id: string): string {
  const heading = textElement('picture-heading', title, id);
  if (nodes.length === 0) return heading;
  return `${heading}\n<g role="list" aria-labelledby="${escapeXml(id)}">\n${nodes.map(nodeElement).join('\n')}\n</g>`;
}

function nodeElement(node: PlacedNode): string {
  const { x, y, width, height, lines, label, href, kind, isCode = false } = node;
  const content = [
    `<title>${escapeXml(label)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`,
    textElement(isCode ? 'node-title node-code' : 'node-title', lines.title),
    lines.detail === undefined ? '' : textElement('node-detail', lines.detail),
    lines.gap === undefined ? '' : gapElement(lines.gap, x),
  ].join('');
  // The title is the accessible name, too.
  const name = `class="node node-${kind}"`;
  const element =
    href === undefined
      ? `<g ${name} role="img">${content}</g>`
      : `<a ${name} href="${escapeXml(href)}">${content}</a>`;
  return `<g role="listitem">${element}</g>`;
}

/** A triangle with an exclamation mark: colour alone does not mark a gap. */
function gapElement(text: PlacedText, left: number): string {
  const x = left + 18;
  const y = text.y - 10;
  const icon = `<path class="gap-icon" d="M${x} ${y}l6.5 11.5h-13zm0 4v4m0 1.6v1"/>`;
  return icon + textElement('node-gap-text', text);
}

function textElement(name: string, { x, y, text }: PlacedText, id?: string): string {
  const own = id === undefined ? '' : ` id="${escapeXml(id)}"`;
  return `<text class="${name}"${own} x="${x}" y="${y}">${escapeXml(text)}</text>`;
}
