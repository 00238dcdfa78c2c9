import { ViewModel, type DeploymentNode } from '../../../../framework';
import type { AdminPage, PageContext } from '../../pages/admin-page';
import { bytes, count, duration as age, percent } from '../../pictures/charts/units';
import type { AdminServices } from '../../services';
import { rangeLinks, rangeOf } from '../ranges';
import { nodeCharts } from './node-charts';

/** How the states of nodes are marked. */
const BADGES: Readonly<Record<DeploymentNode['state'], string>> = {
  starting: 'plain',
  serving: 'good',
  behind: 'bad',
  stopping: 'plain',
  unreachable: 'warn',
};

/** The page of the nodes of the deployment, and its live part. */
export function nodesScreen(services: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'nodes',
      pattern: '/nodes',
      GET: async (context) => context.show('nodes', await variablesOf(services, context)),
    },
    {
      name: 'nodes-live',
      pattern: '/nodes/live',
      isPassive: true,
      // Without the layout, whose messages are for the next page.
      GET: async (context) =>
        new ViewModel(
          { ...(await variablesOf(services, context)), admin: { url: context.url } },
          { template: 'platform-admin/nodes-live' },
        ),
    },
  ];
}

async function variablesOf(
  { nodes }: AdminServices,
  { query, url }: PageContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { store, revision, nodes: all, problem } = await nodes.get();
  const range = rangeOf(query);
  return {
    store,
    revision,
    problem,
    nodes: all.map((node) => toRow(node, revision)),
    behind: all.filter(({ state }) => state === 'behind').length,
    range,
    ranges: rangeLinks(range, url('/nodes')),
    charts: store === 'file' ? [] : nodeCharts(nodes.history(range), range),
  };
}

function toRow(node: DeploymentNode, revision: number): Readonly<Record<string, unknown>> {
  const uptime = Math.max(0, (Date.now() - Date.parse(node.started)) / 1_000);
  return {
    ...node,
    badge: BADGES[node.state],
    uptime: shortUptime(uptime),
    isBehind: node.revision < revision,
    loadShare: percent(node.load),
    errorCount: count(node.errors),
    memorySize: node.memory === 0 ? '–' : bytes(node.memory).replace(' ', '\u00a0'),
    seen: node.lastSeen < 5 ? 'now' : `${age(node.lastSeen)} ago`,
  };
}

/** Brief, for a column: `12 min`, `3 h`, `5 d`. */
function shortUptime(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
