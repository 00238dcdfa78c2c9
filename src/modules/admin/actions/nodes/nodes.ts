import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { ApplicationHost, DeploymentNode, DeploymentNodes } from '../../../../framework';
import { RequestMetrics, STATUS_CLASSES } from '../../../operations';
import { NodeHistory } from '../../monitoring/node-history';
import type { Range } from '../dashboard/points';
import { nodePointsOf, type NodePoints } from './node-points';

/** Shows the nodes of the deployment; a service with configuration in files is one node. */
export class Nodes {
  readonly #host: ApplicationHost;
  readonly #version: string;
  /** What was counted when it was last asked, and when. */
  #seen = { requests: 0, at: 0 };

  /** @param version of the software */
  constructor(host: ApplicationHost, version: string) {
    this.#host = host;
    this.#version = version;
  }

  async get(): Promise<DeploymentNodes> {
    const { shared, repository } = this.#host;
    if (shared !== undefined) return await shared.nodes();
    const revision = await repository.latestRevision();
    return { store: 'file', revision, nodes: [this.#self(revision)] };
  }

  /** The last minutes of each node, as this one has seen them; no nodes without a configuration store. */
  history(range: Range): NodePoints {
    const samples = this.#host.current.sharedState.find(NodeHistory)?.samples ?? [];
    return nodePointsOf(samples, range, performance.now());
  }

  #self(revision: number): DeploymentNode {
    const { sharedState } = this.#host.current;
    let [requests, errors] = [0, 0];
    for (const counters of sharedState.find(RequestMetrics)?.operations ?? []) {
      for (const at of STATUS_CLASSES.keys()) requests += counters.requests(at);
      errors += counters.requests(STATUS_CLASSES.indexOf('5xx'));
    }
    const uptime = process.uptime();
    const elapsed = Math.max(1, uptime - this.#seen.at);
    const rate = Math.max(0, requests - this.#seen.requests) / elapsed;
    this.#seen = { requests, at: uptime };
    return {
      id: hostname(),
      host: hostname(),
      pid: process.pid,
      version: this.#version,
      revision,
      state: 'serving',
      started: new Date(Date.now() - Math.floor(uptime) * 1_000).toISOString(),
      load: Math.round(performance.eventLoopUtilization().utilization * 100) / 100,
      requests: Math.round(rate * 100) / 100,
      errors,
      memory: process.memoryUsage.rss(),
      lastSeen: 0,
      format: 0,
      isSelf: true,
    };
  }
}
