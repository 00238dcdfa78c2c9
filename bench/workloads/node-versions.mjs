// Our shares of the bare server on two versions of Node: a row for each workload, a column for each version.
import { hasNodeBinaries } from '../../scripts/node-binaries.mjs';
import { assertAnswers } from '../measure/measure-workload.mjs';
import { nodeVersion } from '../measure/node-binary.mjs';
import { median, paired, quiet, runRounds } from '../measure/rounds.mjs';
import { Servers } from '../measure/servers.mjs';
import { measureStarts } from '../measure/starts.mjs';
import { rate } from '../report/figures.mjs';
import { table } from '../report/table.mjs';
import basic from './basic.mjs';
import digest from './digest.mjs';
import hal from './hal.mjs';
import json from './json.mjs';
import mix from './mix.mjs';
import page from './page.mjs';
import post from './post.mjs';
import queries from './query.mjs';
import { atlasStart } from './start.mjs';

const VERSIONS = ['20', '24'];
const WORKLOADS = [json, ...queries, page, post, hal, basic, digest, mix];
const STARTS = 7;

/** The target of the start on the newer version, in milliseconds. */
const NEWER = { major: '24', most: 200 };

const labelOf = (major) => `Node ${major ?? process.versions.node.split('.')[0]}`;

/** Measures the bare server and ours on all versions, in the same rounds. @returns a line for each of our rows */
async function compare(workload, versions, options) {
  const opened = [];
  try {
    const rows = [];
    for (const node of versions) {
      const servers = new Servers({ ...options, node });
      opened.push(servers);
      const all = await workload.open(servers, options);
      const own = all.filter(({ name, ours }) => ours || name === workload.base);
      rows.push(
        ...own.map((row) => ({ ...row, title: row.name, node, name: `${row.name}, ${labelOf(node)}` })),
      );
    }
    for (const row of rows) await assertAnswers(workload, row);
    const results = await runRounds(rows, options);
    const failed = [...results.values()].flat().reduce((sum, round) => sum + round.failed, 0);
    const titles = rows.filter(({ node, ours }) => ours && node === versions[0]).map(({ title }) => title);
    return { failed, lines: titles.map((title) => lineOf(workload, title, versions, results)) };
  } finally {
    for (const servers of opened) await servers.stop();
  }
}

function lineOf({ title, base }, server, versions, results) {
  const of = (name, node) => results.get(`${name}, ${labelOf(node)}`);
  const columns = versions.map((node) => {
    const own = of(server, node);
    return [
      [labelOf(node), paired(own, of(base, node), rate).toFixed(2)],
      [`requests/s, ${labelOf(node)}`, Math.round(median(quiet(own).map((round) => round.rate)))],
    ];
  });
  // Shares first.
  const ordered = [0, 1].flatMap((at) => columns.map((pair) => pair[at]));
  return { row: `${title}, ${server}`, ...Object.fromEntries(ordered) };
}

/** @returns the median start of the sample in milliseconds, by version */
async function measureAtlas(versions, options) {
  const times = options.short ? 1 : STARTS;
  const found = [];
  for (const node of versions) {
    const [{ milliseconds }] = await measureStarts([atlasStart], times, { ...options, node });
    found.push({ node, milliseconds: Math.round(milliseconds) });
  }
  return found;
}

function verdictOf({ milliseconds }) {
  return {
    workload: `Start, ${atlasStart.name}, ${labelOf(NEWER.major)}`,
    target: `≤ ${NEWER.most} ms`,
    ours: `${milliseconds} ms`,
    'best peer': '',
    met: milliseconds <= NEWER.most ? 'yes' : 'no',
  };
}

export default {
  name: 'node-versions',
  title: 'Versions of Node',
  /** @param {import('../measure/options.mjs').Options} options `short` runs on the version of this process only */
  async measure(options) {
    if (!options.short && !hasNodeBinaries())
      return { text: 'Not measured: the binaries are for Linux on x64.', verdicts: [], failed: 0 };
    const versions = options.short ? [undefined] : VERSIONS;
    const lines = [];
    let failed = 0;
    for (const workload of options.short ? [json] : WORKLOADS) {
      const found = await compare(workload, versions, options);
      lines.push(...found.lines);
      failed += found.failed;
    }
    const starts = await measureAtlas(versions, options);
    const startLine = Object.fromEntries(
      starts.map(({ node, milliseconds }) => [`${labelOf(node)}, ms`, milliseconds]),
    );
    const newer = starts.find(({ node }) => node === NEWER.major);
    return {
      text: [
        `Shares are of bare node:http on the same version: ${versions.map(nodeVersion).join(', ')}.`,
        table(lines),
        'Start to the first answer:',
        table([{ server: atlasStart.name, ...startLine }]),
      ].join('\n\n'),
      verdicts: newer === undefined ? [] : [verdictOf(newer)],
      failed,
    };
  },
};
