// SVG elements, and the document of a chart: readable on light and dark pages, with a title and a description.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (text) => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]);

/** Coordinates with one digit after the point. */
const rounded = (value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value);

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [content] markup */
export function element(name, attributes, content) {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(rounded(value))}"`);
  return content === undefined
    ? `<${name}${pairs.join('')}/>`
    : `<${name}${pairs.join('')}>${content}</${name}>`;
}

/** @param {Record<string, string | number>} attributes @param {string} content */
export function text(attributes, content) {
  return element('text', attributes, escape(content));
}

/** The colours and fonts are those of the picture of the request lifecycle. */
const STYLE = `svg { --ink: #171a21; --soft: #525a69; --paper: #ffffff; --grid: #e1e4ea; --ours: #0b5c6b; --other: #858d9b; background: var(--paper); }
@media (prefers-color-scheme: dark) { svg { --ink: #e8ebf0; --soft: #a5afbd; --paper: #0f1419; --grid: #2a323d; --ours: #7cc7d6; --other: #727e8d; } }
text { fill: var(--ink); font: 13px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; }
.heading { font-weight: 600; font-size: 14px; }
.detail { fill: var(--soft); font-size: 12px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.strong { font-weight: 600; }
.ours { fill: var(--ours); }
.other { fill: var(--other); }
.grid { stroke: var(--grid); stroke-width: 1; }
.reference { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 3; }
.curve { fill: none; stroke: var(--ours); stroke-width: 2; }
.curve-2 { fill: none; stroke: var(--other); stroke-width: 2; stroke-dasharray: 6 4; }`;

/**
 * @param {object} options
 * @param {string} options.id prefix of the element IDs
 * @param {string} options.title
 * @param {string} options.description
 * @param {number} options.width
 * @param {number} options.height
 * @param {readonly string[]} options.content markup
 */
export function document({ id, title, description, width, height, content }) {
  const names = `aria-labelledby="${id}-title" aria-describedby="${id}-description"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${names} viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="${id}-title">${escape(title)}</title>`,
    `<desc id="${id}-description">${escape(description)}</desc>`,
    `<style>\n${STYLE}\n</style>`,
    ...content,
    '</svg>\n',
  ].join('\n');
}
