// The curves of the chart of growth: requests per second by a quantity, for each series.

const TITLES = {
  'Routed JSON, many services': 'Services',
  'Growth: connections': 'Connections',
  'Growth: users in a password file': 'Users in a password file',
  'Growth: Digest nonces in use': 'Digest nonces in use',
  'Growth: rows of a table, SQLite': 'Rows of a table service (SQLite)',
};

/** Our series in panels with others, which are drawn after it. */
const OURS = 'hosting alone';

/** A row is named `SERIES, COUNT UNIT`. */
const ROW = /^(.+), ([\d,]+) [a-z]+$/;

/**
 * @typedef {object} Panel
 * @property {string} title the quantity
 * @property {{ name: string, points: { count: number, rate: number }[] }[]} series
 */

/** @param {Map<string, Record<string, string>[]>} tables @returns {Panel[]} of the quantities that were measured */
export function growthPanels(tables) {
  return Object.entries(TITLES)
    .filter(([section]) => tables.has(section))
    .map(([section, title]) => ({ title, series: seriesOf(tables.get(section)) }));
}

function seriesOf(rows) {
  const series = new Map();
  for (const { server, 'requests/s': rate } of rows) {
    const [, name, count] = ROW.exec(server);
    if (!series.has(name)) series.set(name, []);
    series.get(name).push({ count: Number(count.replaceAll(',', '')), rate: Number(rate) });
  }
  return [...series]
    .sort(([one], [other]) => Number(other === OURS) - Number(one === OURS))
    .map(([name, points]) => ({ name: name === OURS ? 'apidesc-platform' : name, points }));
}
