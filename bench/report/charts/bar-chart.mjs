// The chart of shares: a group of bars for each workload, in two columns.
import { document, element, text } from './svg.mjs';

const WIDTH = 840;
const MARGIN = 12;
const COLUMN = 398;
const GAP = 20;
const NAMES = 200;
/** To the longest bar, or to 1.00. */
const BAR_AREA = 155;
const TOP = 92;
const HEADING = 36;
const LINE = 20;
const BAR = 12;
const BETWEEN = 16;

const heightOf = ({ bars }) => HEADING + bars.length * LINE + BETWEEN;
const sum = (groups) => groups.reduce((total, group) => total + heightOf(group), 0);

/** Splits the groups, in their order, where the higher column is lowest. */
function twoColumns(groups) {
  const splits = groups.map((_, at) => [groups.slice(0, at + 1), groups.slice(at + 1)]);
  const higher = (columns) => Math.max(...columns.map(sum));
  return splits.reduce((best, one) => (higher(one) < higher(best) ? one : best));
}

function barElements({ name, share, isOurs }, { x, y, scale }) {
  const start = x + NAMES;
  return [
    text({ class: isOurs ? 'end strong' : 'end', x: start - 8, y: y + 4 }, name),
    element('rect', {
      class: isOurs ? 'ours' : 'other',
      x: start,
      y: y - BAR / 2,
      width: share * scale,
      height: BAR,
      rx: 2,
    }),
    text({ class: 'detail', x: start + BAR_AREA + 8, y: y + 4 }, share.toFixed(2)),
  ].join('');
}

function groupElements({ title, bars }, { x, y, scale }) {
  const lines = y + HEADING;
  const end = x + NAMES + scale;
  return [
    text({ class: 'heading', x, y: y + 16 }, title),
    element('line', {
      class: 'reference',
      x1: end,
      y1: lines - BAR,
      x2: end,
      y2: lines + (bars.length - 1) * LINE + BAR,
    }),
    ...bars.map((bar, at) => barElements(bar, { x, y: lines + at * LINE, scale })),
  ];
}

function columnElements(groups, { x, scale }) {
  let y = TOP;
  return groups.flatMap((group) => {
    const elements = groupElements(group, { x, y, scale });
    y += heightOf(group);
    return elements;
  });
}

/** The bars in words, for readers that cannot see them. */
function describe(groups) {
  const lists = groups.map(
    ({ title, bars }) =>
      `${title}: ${bars.map(({ name, share }) => `${name} ${share.toFixed(2)}`).join('; ')}.`,
  );
  return `Requests per second, as a share of a server on bare node:http that does the same work by hand. ${lists.join(' ')}`;
}

const legend = [
  text({ class: 'heading', x: MARGIN, y: 24 }, 'Share of bare node:http'),
  text(
    { class: 'detail', x: MARGIN, y: 44 },
    'Requests per second, compared with a server on bare node:http that does the same work by hand (dashed line: 1.00). Longer is better.',
  ),
  element('rect', { class: 'ours', x: MARGIN, y: 58, width: 12, height: 12, rx: 2 }),
  text({ class: 'detail', x: MARGIN + 18, y: 68 }, 'apidesc-platform'),
  element('rect', { class: 'other', x: MARGIN + 130, y: 58, width: 12, height: 12, rx: 2 }),
  text({ class: 'detail', x: MARGIN + 148, y: 68 }, 'others'),
];

/**
 * @param {import('./share-groups.mjs').Group[]} groups at least one
 * @returns {string} SVG
 */
export function barChart(groups) {
  const scale = BAR_AREA / Math.max(1, ...groups.flatMap(({ bars }) => bars.map(({ share }) => share)));
  const columns = twoColumns(groups);
  return document({
    id: 'benchmark-shares',
    title: 'Benchmark: share of bare node:http',
    description: describe(groups),
    width: WIDTH,
    height: TOP + Math.max(...columns.map(sum)),
    content: [
      ...legend,
      ...columns.flatMap((column, at) => columnElements(column, { x: MARGIN + at * (COLUMN + GAP), scale })),
    ],
  });
}
