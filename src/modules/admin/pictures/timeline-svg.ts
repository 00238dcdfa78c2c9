import { escapeXml } from './escape-xml';
import type { PictureTexts } from './svg';
import { BAR_HEIGHT, ROW_HEIGHT, type PlacedRow, type PlacedTimeline } from './timeline';

/** Writes a timeline as SVG, with the classes of pictures; its rows are a list for screen readers. */
export function timelineSvg(timeline: PlacedTimeline, { id, title, description }: PictureTexts): string {
  const { width, height, top, ticks, rows } = timeline;
  const name = escapeXml(id);
  return [
    `<svg class="picture timeline" xmlns="http://www.w3.org/2000/svg" role="group" aria-labelledby="${name}-title" aria-describedby="${name}-description" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="${name}-title">${escapeXml(title)}</title>`,
    `<desc id="${name}-description">${escapeXml(description)}</desc>`,
    '<g aria-hidden="true">',
    ...ticks.map(
      ({ x, text }) =>
        `<path class="tick" d="M${x} ${top - 8}V${height - 8}"/><text class="node-detail" x="${x}" y="${top - 14}" text-anchor="middle">${escapeXml(text)}</text>`,
    ),
    '</g>',
    ...(rows.length === 0 ? [] : ['<g role="list">', ...rows.map(rowElement), '</g>']),
    '</svg>',
  ].join('\n');
}

function rowElement(row: PlacedRow): string {
  const { y, x, width, titleX, title, note, noteX, isNoteBefore, kind, label, href } = row;
  const baseline = y + ROW_HEIGHT / 2 + 4.5;
  const anchor = isNoteBefore ? ' text-anchor="end"' : '';
  return [
    '<g role="listitem">',
    `<a class="bar bar-${kind}" href="${escapeXml(href)}">`,
    `<title>${escapeXml(label)}</title>`,
    `<text class="node-title node-code" x="${titleX}" y="${baseline}">${escapeXml(title)}</text>`,
    `<rect x="${x}" y="${y + (ROW_HEIGHT - BAR_HEIGHT) / 2}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>`,
    `<text class="node-detail" x="${noteX}" y="${baseline}"${anchor}>${escapeXml(note)}</text>`,
    '</a></g>',
  ].join('');
}
