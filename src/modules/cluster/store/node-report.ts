import { isObject, type DeploymentNode } from '../../../framework';

/**
 * `starting` until it serves, `serving` at the current revision, `behind` while it serves an earlier one because it
 * cannot build the current one, `stopping` while it finishes its requests.
 */
export type NodeState = 'starting' | 'serving' | 'behind' | 'stopping';

const STATES: readonly NodeState[] = ['starting', 'serving', 'behind', 'stopping'];

/** What a node says about itself. */
export interface NodeReport extends Omit<DeploymentNode, 'state' | 'lastSeen' | 'isSelf'> {
  /** Random for each process: tells apart two processes that use one id. */
  readonly instance: string;
  /** Identifies the project folder: two processes with the same one may follow one another. */
  readonly folder: string;
  readonly state: NodeState;
}

/** A node, and the milliseconds since it was last seen, by the clock of the store. */
export interface SeenNode extends NodeReport {
  readonly age: number;
}

/** What a node says to a proposal. */
export interface Answer {
  readonly ok: boolean;
  /** Why it refuses. */
  readonly message?: string;
}

/** Reads what a store returned. @returns undefined for anything else */
export function toNodeReport(value: unknown): NodeReport | undefined {
  if (!isObject(value)) return undefined;
  const { id, instance, folder, host, pid, version, format, revision, state, problem, started } = value;
  const found = STATES.find((one) => one === state);
  if (
    typeof id !== 'string' ||
    typeof instance !== 'string' ||
    typeof folder !== 'string' ||
    typeof host !== 'string' ||
    typeof version !== 'string' ||
    typeof started !== 'string' ||
    found === undefined
  )
    return undefined;
  return {
    id,
    instance,
    folder,
    host,
    version,
    started,
    state: found,
    ...(typeof problem === 'string' ? { problem } : {}),
    pid: toNumber(pid),
    format: toNumber(format),
    revision: toNumber(revision),
    load: toNumber(value.load),
    requests: toNumber(value.requests),
    errors: toNumber(value.errors),
    memory: toNumber(value.memory),
  };
}

/** Reads what a store returned. */
export function toAnswer(value: unknown): Answer {
  if (!isObject(value) || typeof value.ok !== 'boolean')
    return { ok: false, message: 'It sent an invalid response.' };
  return { ok: value.ok, ...(typeof value.message === 'string' ? { message: value.message } : {}) };
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
