import { ConfigurationError } from '../errors/configuration-error';
import type { ConfigurationRepository, RevisionAuthor } from './local-configuration';

/** A change of a file that the configuration names, such as a password file. */
export interface FilePublication {
  /** Absolute. */
  readonly file: string;
  /** Undefined for a new file. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** The configuration of a deployment whose nodes share it. */
export interface SharedConfiguration {
  readonly repository: ConfigurationRepository;
  /**
   * Gives a file to all nodes before it is written here.
   * @throws RolloutRefused if a node refuses it
   * @throws ConfigurationChanged if the file has changed on another node since it was read
   * @throws ConfigurationUnavailable if the store cannot be reached
   */
  publish(file: FilePublication, author: RevisionAuthor): Promise<void>;
}

/** What a node says to a configuration that was proposed to it. */
export interface NodeRefusal {
  /** Its id. */
  readonly node: string;
  readonly message: string;
}

/** A node of the deployment cannot use a configuration: nothing was changed anywhere. */
export class RolloutRefused extends ConfigurationError {
  readonly nodes: readonly NodeRefusal[];

  constructor(nodes: readonly NodeRefusal[]) {
    super(
      [
        'Nothing was changed on any node.',
        ...nodes.map(({ node, message }) => `Node ${node}: ${message}`),
      ].join('\n'),
    );
    this.nodes = nodes;
  }
}

/** The configuration store cannot be reached, so that the configuration of the deployment cannot be changed. */
export class ConfigurationUnavailable extends ConfigurationError {}
