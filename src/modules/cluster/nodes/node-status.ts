import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { ProcessLoad } from '../../../framework';
import { STORE_FORMAT } from '../store/configuration-store';
import type { NodeReport, NodeState } from '../store/node-report';
import { storableText } from '../store/storable-text';
import type { NodeName } from './node-folder';

/** Milliseconds after which a node that is behind should get no requests. */
const UNREADY_AFTER = 30_000;

/** How many requests were completed, and how many of them with status 5xx. */
export interface RequestTotals {
  readonly requests: number;
  readonly errors: number;
}

/** What a node says about itself. */
export class NodeStatus {
  readonly name: NodeName;
  readonly instance = randomBytes(8).toString('hex');
  readonly #version: string;
  readonly #totals: () => RequestTotals;
  readonly #started = new Date().toISOString();
  #state: NodeState = 'starting';
  #problem: string | undefined;
  #behindSince: number | undefined;
  readonly #load = new ProcessLoad();
  /** The number of the revision that it serves. */
  revision = 0;

  constructor(name: NodeName, version: string, totals: () => RequestTotals) {
    this.name = name;
    this.#version = version;
    this.#totals = totals;
  }

  get state(): NodeState {
    return this.#state;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether it has been behind for so long that it should get no requests. */
  get isUnready(): boolean {
    return this.#behindSince !== undefined && performance.now() - this.#behindSince > UNREADY_AFTER;
  }

  /** Milliseconds since it could not activate the current revision; 0 if it has. */
  get behindFor(): number {
    return this.#behindSince === undefined ? 0 : performance.now() - this.#behindSince;
  }

  serve(revision: number): void {
    this.#state = 'serving';
    this.#problem = undefined;
    this.#behindSince = undefined;
    this.revision = revision;
  }

  /** @param problem why it cannot activate the current revision */
  fallBehind(problem: string): void {
    this.#state = 'behind';
    this.#problem = problem;
    this.#behindSince ??= performance.now();
  }

  stop(): void {
    this.#state = 'stopping';
  }

  report(): NodeReport {
    const { requests, errors } = this.#totals();
    const { load, rate } = this.#load.measure(requests);
    return {
      id: this.name.id,
      folder: this.name.folder,
      instance: this.instance,
      host: hostname(),
      pid: process.pid,
      version: this.#version,
      format: STORE_FORMAT,
      revision: this.revision,
      state: this.#state,
      ...(this.#problem === undefined ? {} : { problem: storableText(this.#problem) }),
      started: this.#started,
      load,
      requests: rate,
      errors,
      memory: process.memoryUsage.rss(),
    };
  }
}
