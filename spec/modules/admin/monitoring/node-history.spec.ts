import type { DeploymentNode } from '../../../../src/framework';
import { nodePointsOf } from '../../../../src/modules/admin/actions/nodes/node-points';
import { NodeHistory } from '../../../../src/modules/admin/monitoring/node-history';
import { nodeCharts } from '../../../../src/modules/admin/screens/nodes/node-charts';

const START = '2026-01-02T03:04:05.000Z';
/** Milliseconds: a border of points. */
const NOW = 600_000;

function node(id: string, changes: Partial<DeploymentNode> = {}): DeploymentNode {
  return {
    id,
    host: 'machine',
    pid: 1,
    version: '1.0.0',
    revision: 1,
    state: 'serving',
    started: START,
    load: 0.5,
    requests: 10,
    errors: 0,
    memory: 1e8,
    lastSeen: 0,
    format: 1,
    isSelf: false,
    ...changes,
  };
}

/** Samples every five seconds, of which the last is now. */
async function historyOf(...samples: readonly (readonly DeploymentNode[])[]): Promise<NodeHistory> {
  let current: readonly DeploymentNode[] = [];
  const history = new NodeHistory(() => Promise.resolve(current));
  for (const [at, nodes] of samples.entries()) {
    current = nodes;
    await history.sample(NOW - 5_000 * (samples.length - 1 - at));
  }
  return history;
}

const pointsOf = (history: NodeHistory): ReturnType<typeof nodePointsOf> =>
  nodePointsOf(history.samples, 5, NOW);

describe('The history of the nodes', () => {
  it('has a series for each node, with null while it was not seen', async () => {
    const history = await historyOf(
      [node('a', { requests: 4 })],
      [node('a', { requests: 6 }), node('b', { state: 'behind', load: 0.25, memory: 2e8 })],
      [node('a', { state: 'unreachable' }), node('b')],
    );
    const { step, ages, nodes } = pointsOf(history);
    expect([step, ages.length, ages.at(-1)]).toEqual([5, 60, 0]);
    expect(nodes.map((one) => [one.node, one.requests.slice(-3), one.load.slice(-3)])).toEqual([
      ['a', [4, 6, null], [0.5, 0.5, null]],
      ['b', [null, 10, 10], [null, 0.25, 0.5]],
    ]);
    expect(nodes[1]?.memory.slice(-3)).toEqual([null, 2e8, 1e8]);
  });

  it('has the server errors between two samples, and all of a process that has started since', async () => {
    const history = await historyOf(
      [node('a', { errors: 100 })],
      [node('a', { errors: 110 })],
      [node('a', { errors: 5, started: '2026-01-02T03:05:05.000Z' })],
      [node('a', { errors: 5, started: '2026-01-02T03:05:05.000Z' })],
    );
    expect(pointsOf(history).nodes[0]?.serverErrors.slice(-4)).toEqual([0, 2, 1, 0]);
  });

  it('keeps one hour, and no sample while no node is known', async () => {
    const history = await historyOf([], ...Array.from({ length: 800 }, () => [node('a')]), []);
    expect(history.samples).toHaveLength(720);
    expect(history.samples[0]?.at).toBe(NOW - 5_000 * 720);
  });

  it('asks again only when the last answer has arrived', async () => {
    const ask = jest.fn(() => Promise.resolve([node('a')]));
    const history = new NodeHistory(ask);
    await Promise.all([history.sample(), history.sample()]);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(history.samples).toHaveLength(1);
  });
});

describe('The charts of the nodes', () => {
  it('show the four with the most requests, the others together, and the sum or the mean of all', async () => {
    const nodes = Array.from({ length: 6 }, (_, at) =>
      node(`node-${at}`, { requests: at * 10, load: at / 10, memory: 1e8 }),
    );
    const charts = nodeCharts(pointsOf(await historyOf(nodes, nodes)), 5);
    expect(charts.map(({ id, now }) => [id, now])).toEqual([
      ['node-requests', '150/s'],
      ['node-errors', '0/s'],
      ['node-load', '25%'],
      ['node-memory', '600 MB'],
    ]);
    const last = charts.map(({ series }) => series.map(({ name, last: value }) => `${name}: ${value}`));
    expect(last[0]).toEqual([
      'node-2: 20/s',
      'node-3: 30/s',
      'node-4: 40/s',
      'node-5: 50/s',
      '2 others: 10/s',
    ]);
    expect(last[2]).toEqual(['node-2: 20%', 'node-3: 30%', 'node-4: 40%', 'node-5: 50%', '2 others: 5%']);
    expect(new Set(charts[0]?.series.map(({ tone }) => tone)).size).toBe(5);
  });

  it('escape the names of nodes', async () => {
    const [chart] = nodeCharts(pointsOf(await historyOf([node('<b>')], [node('<b>')])), 5);
    expect(chart?.svg).toContain('&lt;b&gt;');
    expect(chart?.svg).not.toContain('<b>');
  });
});
