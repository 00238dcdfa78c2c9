// `npm run bench -- charts`: draws docs/images/benchmark-shares.svg and benchmark-growth.svg from RESULTS.md, as each
// complete run does. `node bench/report/charts.mjs RESULTS FOLDER` draws others.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { barChart } from './charts/bar-chart.mjs';
import { growthPanels } from './charts/growth-panels.mjs';
import { lineChart } from './charts/line-chart.mjs';
import { tablesOf } from './charts/read-results.mjs';
import { shareGroups } from './charts/share-groups.mjs';

const bench = path.resolve(import.meta.dirname, '..');

export const RESULTS = path.join(bench, 'RESULTS.md');
const IMAGES = path.join(bench, '../docs/images');

/** Draws those charts whose figures were measured. @param {string} [results] @param {string} [folder] */
export function drawCharts(results = RESULTS, folder = IMAGES) {
  const tables = tablesOf(readFileSync(results, 'utf8'));
  const [groups, panels] = [shareGroups(tables), growthPanels(tables)];
  if (groups.length > 0) writeFileSync(path.join(folder, 'benchmark-shares.svg'), barChart(groups));
  if (panels.length > 0) writeFileSync(path.join(folder, 'benchmark-growth.svg'), lineChart(panels));
}

/** For `npm run bench -- charts`. */
export default async function draw() {
  drawCharts();
}

if (process.argv[1] === import.meta.filename) drawCharts(...process.argv.slice(2));
