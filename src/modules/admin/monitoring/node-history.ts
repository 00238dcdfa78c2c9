import type { DeploymentNode } from '../../../framework';
import { MAX_SAMPLES, SAMPLE_INTERVAL_MS } from './sample';
import { Sampler } from './sampler';

/** What the nodes of the deployment did at a time. */
export interface NodesSample {
  /** In milliseconds of `performance.now()`. */
  readonly at: number;
  /** By the id of the node; only those that were seen. */
  readonly nodes: ReadonlyMap<string, NodeMeasure>;
}

export interface NodeMeasure {
  /** Per second. */
  readonly requests: number;
  /** Responses with 5xx per second. */
  readonly serverErrors: number;
  /** The busy share of its event loop, 0 to 1. */
  readonly load: number;
  /** Bytes of resident memory. */
  readonly memory: number;
}

/** The responses with 5xx of a process, at the time of the last sample. */
interface Seen {
  readonly started: string;
  readonly errors: number;
  readonly at: number;
}

/** The last hour of the nodes of the deployment, as they report themselves, in memory. It survives reloads. */
export class NodeHistory {
  readonly #nodes: () => Promise<readonly DeploymentNode[]>;
  /** Oldest first. */
  readonly #samples: NodesSample[] = [];
  readonly #sampler = new Sampler(() => void this.sample(), SAMPLE_INTERVAL_MS);
  #seen: ReadonlyMap<string, Seen> = new Map();
  #isAsking = false;

  /** @param nodes the current nodes; none if they are not known, or there is no deployment */
  constructor(nodes: () => Promise<readonly DeploymentNode[]>) {
    this.#nodes = nodes;
  }

  get samples(): readonly NodesSample[] {
    return this.#samples;
  }

  /** Asks for the nodes until each user has released it. */
  retain(user: object): void {
    this.#sampler.retain(user);
  }

  release(user: object): void {
    this.#sampler.release(user);
  }

  /**
   * Adds a sample, unless no node is known or the last one is still awaited.
   * @param now in milliseconds of `performance.now()`; defaults to when the nodes are known
   */
  async sample(now?: number): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const nodes = (await this.#nodes()).filter(({ state }) => state !== 'unreachable');
      if (nodes.length > 0) this.#add(nodes, now ?? performance.now());
    } finally {
      this.#isAsking = false;
    }
  }

  #add(nodes: readonly DeploymentNode[], at: number): void {
    const measures = nodes.map(({ id, started, requests, errors, load, memory }) => {
      const seen = this.#seen.get(id);
      // Those before the first sample have no place in time; the count of another process began with 0.
      const serverErrors =
        seen === undefined
          ? 0
          : (errors - (seen.started === started ? seen.errors : 0)) / ((at - seen.at) / 1_000);
      return [id, { requests, serverErrors: Math.max(0, serverErrors), load, memory }] as const;
    });
    this.#seen = new Map(nodes.map(({ id, started, errors }) => [id, { started, errors, at }]));
    this.#samples.push({ at, nodes: new Map(measures) });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }
}
