// The chart of growth: a panel for each quantity, requests per second over its logarithm.
import { document, element, text } from './svg.mjs';

const WIDTH = 840;
const MARGIN = 12;
const PANEL = { width: 398, height: 250, gap: 20 };
const TOP = 64;
/** The area of the curves in a panel. */
const AREA = { left: 44, right: 24, top: 58, bottom: 30 };
const GRID_LINES = 4;

const CURVES = [
  { line: 'curve', point: 'ours' },
  { line: 'curve-2', point: 'other' },
];

/** With two digits: `1,500` as `1.5k`, `16,384` as `16k`. */
function short(value) {
  const digits = (factor) => Number((value / factor).toPrecision(2));
  if (value >= 1_000_000) return `${digits(1_000_000)}M`;
  return value >= 1_000 ? `${digits(1_000)}k` : String(value);
}

/** The step of the grid: 1, 2 or 5 times a power of ten. */
function stepOf(most) {
  const power = 10 ** Math.floor(Math.log10(most / GRID_LINES));
  return power * [1, 2, 5, 10].find((factor) => factor * power * GRID_LINES >= most);
}

/** Functions from values to coordinates. */
function scalesOf({ series }, { x, y }) {
  const points = series.flatMap((one) => one.points);
  const counts = points.map(({ count }) => Math.log10(count));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const step = stepOf(Math.max(...points.map(({ rate }) => rate)));
  const width = PANEL.width - AREA.left - AREA.right;
  const height = PANEL.height - AREA.top - AREA.bottom;
  return {
    step,
    toX: (count) =>
      x + AREA.left + (most === least ? 0 : ((Math.log10(count) - least) / (most - least)) * width),
    toY: (rate) => y + AREA.top + height - (rate / (step * GRID_LINES)) * height,
  };
}

function gridElements(panel, { x, y }, { step, toX, toY }) {
  const counts = [...new Set(panel.series.flatMap(({ points }) => points.map(({ count }) => count)))];
  const lines = Array.from({ length: GRID_LINES + 1 }, (_, at) => at * step);
  return [
    ...lines.flatMap((rate) => [
      element('line', {
        class: 'grid',
        x1: x + AREA.left,
        y1: toY(rate),
        x2: x + PANEL.width - AREA.right,
        y2: toY(rate),
      }),
      text({ class: 'detail end', x: x + AREA.left - 8, y: toY(rate) + 4 }, short(rate)),
    ]),
    ...counts.map((count) =>
      text({ class: 'detail middle', x: toX(count), y: y + PANEL.height - 10 }, short(count)),
    ),
  ];
}

function curveElements({ points }, { line, point }, { toX, toY }) {
  const places = points.map(({ count, rate }) => [toX(count), toY(rate)]);
  const path = places.map((place) => place.map((value) => value.toFixed(1)).join(' ')).join('L');
  return [
    element('path', { class: line, d: `M${path}` }),
    ...places.map(([cx, cy]) => element('circle', { class: point, cx, cy, r: 3.5 })),
  ];
}

/** The names of the series below the heading, each with a piece of its curve. */
function legendElements({ series }, { x, y }) {
  return series.flatMap(({ name }, at) => {
    const left = x + AREA.left + at * 150;
    return [
      element('path', { class: CURVES[at].line, d: `M${left} ${y + 36}h24` }),
      text({ class: 'detail', x: left + 30, y: y + 40 }, name),
    ];
  });
}

function panelElements(panel, at) {
  const place = {
    x: MARGIN + (at % 2) * (PANEL.width + PANEL.gap),
    y: TOP + Math.floor(at / 2) * (PANEL.height + PANEL.gap),
  };
  const scales = scalesOf(panel, place);
  return [
    text({ class: 'heading', x: place.x, y: place.y + 16 }, panel.title),
    ...legendElements(panel, place),
    ...gridElements(panel, place, scales),
    ...panel.series.flatMap((one, index) => curveElements(one, CURVES[index], scales)),
  ];
}

/** The curves in words, for readers that cannot see them. */
function describe(panels) {
  const lists = panels.flatMap(({ title, series }) =>
    series.map(({ name, points }) => {
      const values = points.map(
        ({ count, rate }) => `${count.toLocaleString('en')}: ${rate.toLocaleString('en')}`,
      );
      return `${title}, ${name}: ${values.join('; ')}.`;
    }),
  );
  return `Requests per second as quantities grow. ${lists.join(' ')}`;
}

/**
 * @param {import('./growth-panels.mjs').Panel[]} panels at least one, with at most two series each
 * @returns {string} SVG
 */
export function lineChart(panels) {
  const rows = Math.ceil(panels.length / 2);
  return document({
    id: 'benchmark-growth',
    title: 'Benchmark: growth',
    description: describe(panels),
    width: WIDTH,
    height: TOP + rows * PANEL.height + (rows - 1) * PANEL.gap,
    content: [
      text({ class: 'heading', x: MARGIN, y: 24 }, 'Requests per second as quantities grow'),
      text(
        { class: 'detail', x: MARGIN, y: 44 },
        'The quantity has a logarithmic scale. A level curve means that it costs nothing.',
      ),
      ...panels.flatMap(panelElements),
    ],
  });
}
