import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  ConfigurationChanged,
  ConfigurationUnavailable,
  RolloutRefused,
  type NodeRefusal,
  errorMessage,
} from '../../../framework';
import { PROPOSAL_TTL, type ConfigurationStore, type Proposal } from '../store/configuration-store';
import type { SeenNode } from '../store/node-report';
import type { Documents, StoredRevision } from '../store/stored-revision';

/** Milliseconds that nodes have for an answer. */
const ANSWER_TIMEOUT = 10_000;
/** Milliseconds after which a node that was not seen is not asked any more. */
export const LIVE = 10_000;
/** Milliseconds that other proposals are waited for: also for that of a node that was killed meanwhile. */
const BUSY_TIMEOUT = PROPOSAL_TTL + 2_000;
/** Milliseconds that nodes have to activate a revision before the change is reported as done. */
const ACTIVATION_TIMEOUT = 5_000;
/** Milliseconds after which it is not known whether a revision was written. */
const UNCERTAIN_TIMEOUT = 5_000;
/** Milliseconds between two checks of the store without hints. */
const INTERVAL = 150;

/** Proposes revisions to all live nodes, and makes them the current ones if all agree. */
export class Rollout {
  readonly #store: ConfigurationStore;
  readonly #node: string | undefined;

  /** @param node the id of this node, which is not asked */
  constructor(store: ConfigurationStore, node: string | undefined) {
    this.#store = store;
    this.#node = node;
  }

  /**
   * Makes a revision the current one on all nodes.
   * @param revision its number is that of its base, plus 1
   * @param documents those that the store may not have yet
   * @throws RolloutRefused if a node refuses it, or does not answer
   * @throws ConfigurationChanged if its base is not the current revision any more
   * @throws ConfigurationUnavailable if the store fails
   */
  async run(revision: StoredRevision, documents: Documents): Promise<void> {
    const proposal = { id: randomUUID(), base: revision.number - 1, revision };
    await this.#propose(proposal, documents);
    let asked: readonly SeenNode[];
    try {
      asked = await this.#collect(proposal.id);
    } catch (error) {
      await this.#store.withdraw(proposal.id).catch(() => undefined);
      throw error;
    }
    if (!(await this.#commit(proposal))) throw new ConfigurationChanged();
    await this.#awaitActivation(revision.number, asked).catch(() => undefined);
  }

  #isAsked({ id, age, state }: SeenNode): boolean {
    return id !== this.#node && age < LIVE && isServing(state);
  }

  async #propose(proposal: Proposal, documents: Documents): Promise<void> {
    const end = performance.now() + BUSY_TIMEOUT;
    for (;;) {
      const result = await this.#store.propose(proposal, documents);
      if (result === 'proposed') return;
      if (result === 'moved' || performance.now() > end) throw new ConfigurationChanged();
      await delay(INTERVAL);
    }
  }

  /** Waits until all nodes agree. @returns them */
  async #collect(proposal: string): Promise<readonly SeenNode[]> {
    const end = performance.now() + ANSWER_TIMEOUT;
    let asked: readonly SeenNode[] | undefined;
    let missing: readonly SeenNode[] = [];
    await this.#poll(async () => {
      const [answers, nodes] = await Promise.all([this.#store.answers(proposal), this.#store.nodes()]);
      const isOver = performance.now() > end;
      missing = asked === undefined ? nodes.filter((node) => this.#isAsked(node)) : missing;
      asked ??= missing;
      // One that stops meanwhile does not answer.
      const serving = new Set(nodes.flatMap(({ id, state }) => (isServing(state) ? [id] : [])));
      missing = missing.filter(({ id }) => !answers.has(id) && (isOver || serving.has(id)));
      if (missing.length > 0 && !isOver) return false;
      const refusals = [...answers].flatMap(([node, { ok, message = 'It refused.' }]): NodeRefusal[] =>
        ok ? [] : [{ node, message }],
      );
      const silent = missing.map(({ id: node }) => ({
        node,
        message: `It did not answer within ${ANSWER_TIMEOUT / 1_000} seconds. Retry when it runs again, or is no longer live.`,
      }));
      if (refusals.length + silent.length > 0) throw new RolloutRefused([...refusals, ...silent]);
      return true;
    });
    return asked ?? [];
  }

  /** Checks the store until it says so: regularly, and whenever something may have changed. */
  async #poll(isDone: () => Promise<boolean>): Promise<void> {
    let hints = 0;
    let wake = (): void => undefined;
    const end = this.#store.onHint(() => {
      hints++;
      wake();
    });
    try {
      for (let seen = hints; !(await isDone()); seen = hints) {
        const hint = new Promise<void>((resolve) => (wake = resolve));
        if (hints === seen) await Promise.race([hint, delay(INTERVAL)]);
      }
    } finally {
      end();
    }
  }

  /** A lost reply does not mean that nothing was written: withdrawing makes that certain. */
  async #commit({ id, revision }: Proposal): Promise<boolean> {
    try {
      return await this.#store.commit(id);
    } catch (error) {
      const end = performance.now() + UNCERTAIN_TIMEOUT;
      while (performance.now() < end) {
        try {
          await this.#store.withdraw(id);
          return isDeepStrictEqual(await this.#store.revision(revision.number), revision);
        } catch {
          await delay(INTERVAL);
        }
      }
      const reason = errorMessage(error);
      throw new ConfigurationUnavailable(
        `It is not known whether the change was written: ${reason}. If it was, all nodes activate it when the store can be reached again.`,
        { cause: error },
      );
    }
  }

  /** So that the next request, to any node, meets the new configuration. */
  async #awaitActivation(number: number, asked: readonly SeenNode[]): Promise<void> {
    const end = performance.now() + ACTIVATION_TIMEOUT;
    const ids = new Set(asked.map(({ id }) => id));
    if (ids.size === 0) return;
    await this.#poll(async () => {
      const serving = (await this.#store.nodes()).filter(({ state }) => isServing(state));
      for (const id of ids) {
        const node = serving.find((one) => one.id === id);
        if (node === undefined || node.revision >= number || node.age > LIVE) ids.delete(id);
      }
      return ids.size === 0 || performance.now() > end;
    });
  }
}

/** Whether a node answers proposals, and activates revisions. */
function isServing(state: SeenNode['state']): boolean {
  return state === 'serving' || state === 'behind';
}
