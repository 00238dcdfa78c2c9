import type { DeploymentNode } from '../../../../framework';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { count, duration as age, percent } from '../../pictures/charts/units';
import type { AdminServices } from '../../services';

/** How the states of nodes are marked. */
const BADGES: Readonly<Record<DeploymentNode['state'], string>> = {
  starting: 'plain',
  serving: 'good',
  behind: 'bad',
  stopping: 'plain',
  unreachable: 'warn',
};

/** The page of the nodes of the deployment. */
export function nodesScreen({ nodes }: AdminServices): readonly AdminPage[] {
  return [{ name: 'nodes', pattern: '/nodes', isPassive: true, GET: (context) => show(context) }];

  async function show(context: PageContext): Promise<PageResult> {
    const { store, revision, nodes: all, problem } = await nodes.get();
    return context.show('nodes', {
      store,
      revision,
      problem,
      nodes: all.map((node) => toRow(node, revision)),
      behind: all.filter(({ state }) => state === 'behind').length,
    });
  }
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
    seen: node.lastSeen < 5 ? 'now' : `${age(node.lastSeen)} ago`,
  };
}

/** Brief, for a column: `12 min`, `3 h`, `5 d`. */
function shortUptime(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
