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

/**
 * A node: `starting` until it serves, `serving` at the current revision or activating it, `behind` while it serves an
 * earlier one because it cannot activate the current one, `stopping` while it finishes its requests, `unreachable` if it
 * was not seen for 10 seconds.
 */
export interface DeploymentNode {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Of the software. */
  readonly version: string;
  /** The number of the revision that it serves; 0 for none yet. */
  readonly revision: number;
  readonly state: 'starting' | 'serving' | 'behind' | 'stopping' | 'unreachable';
  /** Why it is behind. */
  readonly problem?: string;
  /** ISO 8601. */
  readonly started: string;
  /** The share of time in which its event loop was busy, 0 to 1. */
  readonly load: number;
  /** Requests per second. */
  readonly requests: number;
  /** Responses with status 5xx since it started. */
  readonly errors: number;
  /** Bytes of resident memory; 0 if it is not known. */
  readonly memory: number;
  /** Seconds since it was last seen. */
  readonly lastSeen: number;
  /** The version of what it reads and writes in the store. */
  readonly format: number;
  /** Whether it is this process. */
  readonly isSelf: boolean;
}

/** The nodes of a deployment. */
export interface DeploymentNodes {
  readonly store: 'file' | 'redis' | 'postgres';
  /** The current revision. */
  readonly revision: number;
  readonly nodes: readonly DeploymentNode[];
  /** Why this is not the current state, but the last one that is known. */
  readonly problem?: string;
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
  /**
   * Activates the current revision, which another node may have changed.
   * @throws ConfigurationUnavailable if the store cannot be reached, or this node cannot use that revision
   */
  follow(): Promise<void>;
  /** Returns the nodes, as they were last known while the store cannot be reached. */
  nodes(): Promise<DeploymentNodes>;
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
