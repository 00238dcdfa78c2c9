import fc from 'fast-check';
import { chartSvg } from '../../../../../src/modules/admin/pictures/charts/chart-svg';
import {
  placeChart,
  type ChartSeries,
  type TimeChart,
} from '../../../../../src/modules/admin/pictures/charts/time-chart';
import { perSecond } from '../../../../../src/modules/admin/pictures/charts/units';
import { elementsOf } from '../../../../factories/documents/well-formed';
import { anyText } from '../../../../factories/any-text';

const TEXTS = { id: 'chart', title: 'Requests', description: 'Per second', empty: 'No requests' };

function chart(series: readonly ChartSeries[], more: Partial<TimeChart> = {}): TimeChart {
  const length = series[0]?.values.length ?? 0;
  const ages = Array.from({ length }, (_, at) => ((length - 1 - at) * 300) / Math.max(1, length - 1));
  return { ages, range: 300, series, isStacked: false, unit: perSecond, least: 1, ...more };
}

const line = (name: string, values: readonly (number | null)[]): ChartSeries => ({ name, values, tone: 1 });

const anyChart: fc.Arbitrary<TimeChart> = fc
  .record({
    points: fc.integer({ min: 0, max: 30 }),
    names: fc.array(anyText({ maxLength: 40 }), { minLength: 1, maxLength: 5 }),
    isStacked: fc.boolean(),
  })
  .chain(({ points, names, isStacked }) => {
    const value = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }));
    const values = fc.array(value, { minLength: points, maxLength: points });
    return fc.tuple(...names.map(() => values)).map((all) =>
      chart(
        names.map((name, at) => line(name, all[at] ?? [])),
        { isStacked },
      ),
    );
  });

describe('A chart', () => {
  it('is well-formed and inside its frame, whatever its values and names are', () => {
    fc.assert(
      fc.property(anyChart, (one) => {
        const svg = chartSvg(one, TEXTS);
        expect(elementsOf(svg)[0]).toBe('svg');
        expect(svg.replace(/<text.*?<\/text>|data-points="[^"]*"/gs, '')).not.toMatch(
          /NaN|Infinity|undefined/,
        );
        const placed = placeChart(one);
        for (const { runs, label } of placed.series) {
          for (const { x, y } of runs.flatMap(({ top, base }) => [...top, ...base])) {
            expect(x).toBeGreaterThanOrEqual(placed.left);
            expect(x).toBeLessThanOrEqual(placed.right);
            expect(y).toBeGreaterThanOrEqual(placed.top - 0.1);
            expect(y).toBeLessThanOrEqual(placed.bottom);
          }
          if (label !== undefined) expect(label.x).toBeGreaterThan(placed.right);
        }
      }),
    );
  });

  it('keeps the names of lines apart that end at the same height', () => {
    const { series } = placeChart(chart([line('p99', [5, 5]), line('p95', [5, 5]), line('p50', [5, 5])]));
    const heights = series.map(({ label }) => label?.y ?? 0).sort((a, b) => a - b);
    for (const [at, y] of heights.entries())
      if (at > 0) expect(y - (heights[at - 1] ?? 0)).toBeGreaterThanOrEqual(14);
  });

  it('leaves out times that would touch another, but never the first and the last', () => {
    const narrow = Array.from({ length: 5 }, (_, at) => line('a very long name'.repeat(at), [1]));
    for (const range of [300, 900, 3600]) {
      const { xTicks } = placeChart(chart(narrow, { range, unit: (value) => `${value} megabytes a second` }));
      expect(xTicks.at(-1)?.text).toBe('now');
      expect(xTicks[0]?.text).toMatch(/^−\d+ min$/);
      const [first, second] = xTicks;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(50);
    }
    expect(placeChart(chart([line('a', [1])], { range: 900 })).xTicks).toHaveLength(4);
  });

  it('stacks series, and leaves gaps where nothing is known', () => {
    const placed = placeChart(
      chart([line('OK', [2, null, 2, 2]), line('5xx', [1, null, 0, 2])], { isStacked: true }),
    );
    const [ok, errors] = placed.series;
    expect(ok?.runs.map(({ top }) => top.length)).toEqual([1, 2]);
    expect(errors?.runs[0]?.base).toEqual(ok?.runs[0]?.top);
    // 2 + 2 is the highest tick.
    expect(placed.yTicks.at(-1)?.text).toBe('4/s');
    expect(errors?.runs[1]?.top.at(-1)?.y).toBe(placed.top);
  });

  it('names the time axis in whole minutes, with the latest at the right', () => {
    for (const [range, texts] of [
      [300, ['−4 min', '−2 min', 'now']],
      [900, ['−15 min', '−10 min', '−5 min', 'now']],
      [3600, ['−60 min', '−40 min', '−20 min', 'now']],
    ] as const) {
      const shown = placeChart(chart([line('a', [1])], { range })).xTicks;
      expect(shown.at(-1)).toMatchObject({ text: 'now' });
      expect(shown.map(({ text }) => text)).toEqual(texts);
    }
  });

  it('says that it is empty, and names no line that is always 0', () => {
    expect(chartSvg(chart([line('a', [null, null])]), TEXTS)).toContain('No requests</text>');
    const svg = chartSvg(chart([line('a', [0, 0]), line('b', [1, 2])]), TEXTS);
    expect(svg).not.toContain('>a</text>');
    expect(svg).toContain('>b</text>');
  });

  it('has its formatted values for scripts', () => {
    const [, escaped = ''] =
      /data-points="([^"]*)"/.exec(chartSvg(chart([line('"a"', [1.5, null])]), TEXTS)) ?? [];
    const points: unknown = JSON.parse(escaped.replaceAll('&quot;', '"'));
    expect(points).toMatchObject({ ages: [300, 0], names: ['"a"'], values: [['1.5/s', null]] });
  });
});
