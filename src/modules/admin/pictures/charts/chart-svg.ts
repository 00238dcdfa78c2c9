import { escapeXml } from '../escape-xml';
import { ellipsize } from '../text-width';
import { placeChart, type ChartPoint, type PlacedSeries, type TimeChart } from './time-chart';

/** The texts of a chart. */
export interface ChartTexts {
  /** The prefix of the element IDs. */
  readonly id: string;
  readonly title: string;
  /** What a screen reader says instead of the picture. */
  readonly description: string;
  /** Written into an empty chart. */
  readonly empty: string;
}

const LABEL = { size: 11 * 1.1 };
/** A label below the middle of its line. */
const BASELINE = 4;

/**
 * Writes a chart as SVG, without styles: pages style its classes, as their Content-Security-Policy refuses others.
 * `data-points` has the position, the age in seconds, and the formatted values of each point, for a script.
 */
export function chartSvg(chart: TimeChart, { id, title, description, empty }: ChartTexts): string {
  const placed = placeChart(chart);
  const { width, height, left, right, top, bottom, xTicks, yTicks, series, x } = placed;
  const isEmpty = series.every(({ runs }) => runs.length === 0);
  const points = JSON.stringify({
    x,
    ages: chart.ages.map(Math.round),
    names: chart.series.map(({ name }) => name),
    values: chart.series.map(({ values }) =>
      values.map((value) => (value === null ? null : chart.unit(value))),
    ),
  });
  const room = width - right - 12;
  return [
    `<svg class="chart" xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="${escapeXml(id)}-title" aria-describedby="${escapeXml(id)}-description" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" data-points="${escapeXml(points)}">`,
    `<title id="${escapeXml(id)}-title">${escapeXml(title)}</title>`,
    `<desc id="${escapeXml(id)}-description">${escapeXml(description)}</desc>`,
    ...yTicks.map(
      ({ at, text }) =>
        `<path class="chart-grid" d="M${left} ${at}H${right}"/><text class="chart-tick" x="${left - 6}" y="${at + BASELINE}" text-anchor="end">${escapeXml(text)}</text>`,
    ),
    ...xTicks.map(
      ({ at, text }, index) =>
        `<path class="chart-grid" d="M${at} ${bottom}v4"/><text class="chart-tick" x="${at}" y="${bottom + 17}" text-anchor="${index === 0 && xTicks.length > 1 ? 'start' : index === xTicks.length - 1 ? 'end' : 'middle'}">${escapeXml(text)}</text>`,
    ),
    // Later series are drawn first, so that the first one is on top.
    ...[...series].reverse().map((one) => seriesElements(one, chart.isStacked)),
    ...series.map((one) => labelElement(one, room)),
    isEmpty
      ? `<text class="chart-empty" x="${(left + right) / 2}" y="${(top + bottom) / 2}" text-anchor="middle">${escapeXml(empty)}</text>`
      : `<path class="chart-cursor" d="M-1 ${top}V${bottom}"/>`,
    '</svg>',
  ].join('\n');
}

function seriesElements({ tone, runs }: PlacedSeries, isStacked: boolean): string {
  const elements = runs.map(({ top, base }) => {
    const area = `${pathOf(top)}L${[...base].reverse().map(pair).join('L')}Z`;
    const fill = isStacked && top.length > 1 ? `<path class="chart-area tone-${tone}" d="${area}"/>` : '';
    return `${fill}<path class="chart-line tone-${tone}" d="${pathOf(top)}"/>`;
  });
  return elements.join('');
}

/** A single point is a line of no length, whose round ends make a dot. */
function pathOf(points: readonly ChartPoint[]): string {
  return `M${points.map(pair).join('L')}${points.length === 1 ? 'h0' : ''}`;
}

function pair({ x, y }: ChartPoint): string {
  return `${x} ${y}`;
}

function labelElement({ name, tone, label }: PlacedSeries, room: number): string {
  if (label === undefined) return '';
  return `<path class="chart-mark tone-${tone}" d="M${label.x - 5} ${label.y}h4"/><text class="chart-label" x="${label.x + 2}" y="${label.y + BASELINE}">${escapeXml(ellipsize(name, room, LABEL))}</text>`;
}
