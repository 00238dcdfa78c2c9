import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import {
  ProcessLoad,
  type ApplicationHost,
  type DeploymentNode,
  type DeploymentNodes,
} from '../../../../framework';
import { RequestMetrics, STATUS_CLASSES } from '../../../operations';
import { withChangeProblems } from '../../changes/change-problem';
import { NodeHistory } from '../../monitoring/node-history';
import type { Range } from '../dashboard/points';
import { nodePointsOf, type NodePoints } from './node-points';

/** Shows the nodes of the deployment; a service with configuration in files is one node. */
export class Nodes {
  readonly #host: ApplicationHost;
  readonly #version: string;
  #load: ProcessLoad | undefined;

  /** @param version of the software */
  constructor(host: ApplicationHost, version: string) {
    this.#host = host;
    this.#version = version;
  }

  /** @throws Problem 507 if the revisions of the file cannot be read */
  async get(): Promise<DeploymentNodes> {
    const { shared, repository } = this.#host;
    if (shared !== undefined) return await shared.nodes();
    const revision = await withChangeProblems(() => repository.latestRevision());
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
    this.#load ??= new ProcessLoad(0);
    const { load, rate } = this.#load.measure(requests);
    return {
      id: hostname(),
      host: hostname(),
      pid: process.pid,
      version: this.#version,
      revision,
      state: 'serving',
      started: new Date(Date.now() - Math.floor(process.uptime()) * 1_000).toISOString(),
      load,
      requests: rate,
      errors,
      memory: process.memoryUsage.rss(),
      lastSeen: 0,
      format: 0,
      isSelf: true,
    };
  }
}
