import type { ClusterNode } from './nodes/cluster-node';

/** The node that this process is, in a deployment with a configuration store. */
export class Membership {
  readonly node: ClusterNode;

  constructor(node: ClusterNode) {
    this.node = node;
  }
}
