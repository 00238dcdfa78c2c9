/** What a node says to a configuration that was proposed to it. */
export interface NodeRefusal {
  /** Its id. */
  readonly node: string;
  readonly message: string;
}

/** A node of the deployment cannot use a configuration: nothing was changed anywhere. */
export class RolloutRefused extends Error {
  override readonly name = 'RolloutRefused';
  readonly nodes: readonly NodeRefusal[];

  constructor(nodes: readonly NodeRefusal[]) {
    super(
      `Nothing was changed on any node. ${nodes.map(({ node, message }) => `Node ${node}: ${message}`).join('\n')}`,
    );
    this.nodes = nodes;
  }
}

/** The configuration store cannot be reached, so that the configuration of the deployment cannot be changed. */
export class ConfigurationUnavailable extends Error {
  override readonly name = 'ConfigurationUnavailable';
}
