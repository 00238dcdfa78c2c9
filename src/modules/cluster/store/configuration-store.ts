import type { Answer, NodeReport, SeenNode } from './node-report';
import type { Documents, StoredRevision } from './stored-revision';

/**
 * The version of what is written to a store. Raise it when an earlier version of the software could not read it: nodes
 * of both versions cannot then run at the same time.
 */
export const STORE_FORMAT = 1;

/** How many revisions a store keeps. */
export const KEPT_REVISIONS = 50;

/** Milliseconds after which a proposal is void, so that a proposer that ended blocks nobody. */
export const PROPOSAL_TTL = 20_000;

/** Milliseconds after which a node that has not been seen is removed. */
export const NODE_KEPT = 600_000;

/** What nodes look at regularly. */
export interface Head {
  readonly format: number;
  /** The number of the current revision. */
  readonly number: number;
  /** The hash of the current revision. */
  readonly hash: string;
  /** The id of the open proposal. */
  readonly proposal: string | undefined;
}

/** The head of a store with its revision. */
export interface CurrentRevision {
  readonly head: Head;
  /** Undefined if the store has lost it. */
  readonly revision: StoredRevision | undefined;
}

/** A revision that all live nodes are asked about before it becomes the current one. */
export interface Proposal {
  /** A UUID. */
  readonly id: string;
  /** The number of the revision that it replaces. */
  readonly base: number;
  readonly revision: StoredRevision;
}

/** The channel of a server in which nodes notify each other that something may have changed. */
export interface HintChannel {
  /** Its name on the server. */
  readonly name: string;
  /** What is published in it. */
  readonly message: string;
  /** @returns ends it */
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Keeps the configuration of a deployment outside of its nodes. All methods reject with {@link ConfigurationUnavailable}
 * if the store is out of reach; a write may have succeeded then.
 *
 * There is at most one proposal at a time. Only {@link commit} changes the current revision: it succeeds if the proposal
 * is still open and its base is still the current revision.
 */
export interface ConfigurationStore {
  readonly kind: 'redis' | 'postgres';
  /** Undefined for an empty store. */
  head(): Promise<Head | undefined>;
  /** Undefined for an empty store. */
  current(): Promise<CurrentRevision | undefined>;
  revision(number: number): Promise<StoredRevision | undefined>;
  /** The last 50 revisions, newest first. */
  history(): Promise<readonly StoredRevision[]>;
  /** Returns documents by their hash, without those that no longer exist. */
  documents(hashes: readonly string[]): Promise<Documents>;
  /** Makes a revision the first one of an empty store. @returns whether the store was empty */
  seed(revision: StoredRevision, documents: Documents): Promise<boolean>;
  /** @returns `busy` during another proposal, `moved` if its base is not the current revision any more */
  propose(proposal: Proposal, documents: Documents): Promise<'proposed' | 'busy' | 'moved'>;
  /** The open proposal. */
  proposal(): Promise<Proposal | undefined>;
  answer(proposal: string, node: string, answer: Answer): Promise<void>;
  /** The answers to a proposal by node. */
  answers(proposal: string): Promise<ReadonlyMap<string, Answer>>;
  /** Ends a proposal without effect. */
  withdraw(proposal: string): Promise<void>;
  /** Makes a proposal the current revision. @returns false if it was not open any more; nothing has changed then */
  commit(proposal: string): Promise<boolean>;
  /** Makes a node known, or updates what is known of it. */
  announce(report: NodeReport): Promise<void>;
  /** Removes a node that stops. */
  leave(node: string): Promise<void>;
  /** The nodes that were seen in the last ten minutes, by id. */
  nodes(): Promise<readonly SeenNode[]>;
  /** Uses a channel for hints; a store may have a way of its own. */
  useHints(channel: HintChannel): void;
  /** Calls a listener when something may have changed; calls may be lost. @returns a function that removes it */
  onHint(listener: () => void): () => void;
  close(): Promise<void>;
}
