import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

const RESULTS = path.join(ROOT, 'bench/RESULTS.md');
const IMAGES = path.join(ROOT, 'docs/images');
const NAMES = ['benchmark-shares.svg', 'benchmark-growth.svg'];

/** As a complete run writes them, with the columns that the charts read. */
const FIXTURE = `# Results

### Targets

| workload | target | ours |
| -------- | ------ | ---- |
| Routed JSON, hosting alone | ≥ 0.9 | 0.50 |

### Routed JSON

\`npm run bench -- json\`

Shares are of bare node:http.

| server         | requests/s | share |
| -------------- | ---------- | ----- |
| bare node:http | 80000      |       |
| hosting alone  | 40000      | 0.50  |
| <Peer> & more  | 20000      | 0.25  |

### Realistic mix

Not measured: it failed.

### Routed JSON, many services

| server                        | requests/s | share |
| ----------------------------- | ---------- | ----- |
| Fastify, 10 services          | 50000      |       |
| Fastify, 1,000 services       | 25000      | 0.50  |
| hosting alone, 10 services    | 60000      | 1.20  |
| hosting alone, 1,000 services | 30000      | 0.60  |

### Growth: Digest nonces in use

| server                       | requests/s | share |
| ---------------------------- | ---------- | ----- |
| hosting alone, 16 nonces     | 40000      |       |
| hosting alone, 16,384 nonces | 39000      | 0.98  |
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'charts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Draws the charts of a file with results. */
async function draw(results: string): Promise<void> {
  const script = path.join(ROOT, 'bench/report/charts.mjs');
  const { code, output } = await run(process.execPath, [script, results, folder]);
  expect({ code, output }).toEqual({ code: 0, output: '' });
}

async function drawFixture(): Promise<Readonly<Record<'shares' | 'growth', string>>> {
  const results = path.join(folder, 'RESULTS.md');
  writeFileSync(results, FIXTURE);
  await draw(results);
  return {
    shares: readFileSync(path.join(folder, 'benchmark-shares.svg'), 'utf8'),
    growth: readFileSync(path.join(folder, 'benchmark-growth.svg'), 'utf8'),
  };
}

/** The texts of the elements of a class. */
function textsOf(svg: string, name: string): readonly string[] {
  return [...svg.matchAll(new RegExp(`<text class="${name}"[^>]*>([^<]*)</text>`, 'g'))].map(
    ([, text = '']) => text,
  );
}

/** The lengths of the bars of a class, without that of the legend. */
function barsOf(svg: string, name: string): readonly number[] {
  return [...svg.matchAll(new RegExp(`<rect class="${name}"[^>]* width="([\\d.]+)"`, 'g'))]
    .slice(1)
    .map(([, width]) => Number(width));
}

it('The charts in the documentation show the figures of bench/RESULTS.md', async () => {
  await draw(RESULTS);
  for (const name of NAMES) {
    const drawn = readFileSync(path.join(folder, name), 'utf8');
    // WRITE_GOLDEN=1 writes it.
    if (process.env.WRITE_GOLDEN === '1') writeFileSync(path.join(IMAGES, name), drawn);
    expect(readFileSync(path.join(IMAGES, name), 'utf8')).toBe(drawn);
  }
});

it('The chart of shares has a bar for each server, as long as its share', async () => {
  const { shares } = await drawFixture();
  expect(textsOf(shares, 'end strong')).toEqual(['hosting alone']);
  expect(textsOf(shares, 'end')).toEqual(['&lt;Peer&gt; &amp; more']);
  expect(textsOf(shares, 'detail')).toEqual(expect.arrayContaining(['0.50', '0.25']));
  const [[ours], [other]] = [barsOf(shares, 'ours'), barsOf(shares, 'other')];
  expect(ours! / other!).toBeCloseTo(2, 2);
});

it('The chart of shares leaves out what was not measured', async () => {
  const { shares } = await drawFixture();
  expect(textsOf(shares, 'heading')).toEqual(['Share of bare node:http', 'Routed JSON']);
});

it('The chart of growth has a panel for each quantity, and a curve for each series', async () => {
  const { growth } = await drawFixture();
  expect(textsOf(growth, 'heading').slice(1)).toEqual(['Services', 'Digest nonces in use']);
  expect(textsOf(growth, 'detail middle')).toEqual(['10', '1k', '16', '16k']);
  expect(textsOf(growth, 'detail').slice(1)).toEqual(['apidesc-platform', 'Fastify', 'apidesc-platform']);
  expect(growth.match(/<circle class="ours"/g)).toHaveLength(4);
  expect(growth.match(/<circle class="other"/g)).toHaveLength(2);
});

it('Both charts have a title and describe their figures for screen readers', async () => {
  const { shares, growth } = await drawFixture();
  expect(shares).toContain('<title id="benchmark-shares-title">Benchmark: share of bare node:http</title>');
  expect(shares).toMatch(/<desc id="benchmark-shares-description">.*Routed JSON: hosting alone 0\.50;/);
  expect(growth).toContain('<title id="benchmark-growth-title">Benchmark: growth</title>');
  expect(growth).toMatch(
    /<desc id="benchmark-growth-description">.*apidesc-platform: 10: 60,000; 1,000: 30,000\./,
  );
});

it('Both charts are legible on light and dark pages', async () => {
  const { shares, growth } = await drawFixture();
  for (const chart of [shares, growth]) expect(chart).toContain('@media (prefers-color-scheme: dark)');
});
