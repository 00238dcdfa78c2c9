import { steadyNow, type DeploymentState, type IssuedNonce, type NonceCounter } from '../../framework';
import type { Channel } from '../channel';
import type { PrimaryCalls, WorkerCalls, WorkerDeployment } from '../messages';

/**
 * The state of a deployment in the memory of the primary. The claims of one turn of the event loop are one message, and
 * so are their results.
 */
export class PrimaryState implements DeploymentState {
  readonly generation: string;
  readonly #channel: Channel<WorkerCalls, PrimaryCalls>;
  /** From the clock of this process to that of the primary: the system's may have been set between their starts. */
  readonly #offset: number;

  constructor(channel: Channel<WorkerCalls, PrimaryCalls>, { generation, now }: WorkerDeployment) {
    this.#channel = channel;
    this.generation = generation;
    this.#offset = now - steadyNow();
  }

  now(): number {
    return steadyNow() + this.#offset;
  }

  counterFor(nonce: IssuedNonce): NonceCounter {
    return { claim: (count) => this.#channel.call('claim', { nonce, count }) };
  }
}
