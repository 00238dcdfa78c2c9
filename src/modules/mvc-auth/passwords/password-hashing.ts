import { addressKey } from '../../../framework';
import type { PasswordClient } from '../http/credential-source';
import { HashingQueue } from './hashing-queue';

/** Default limit of pending verifications per address. */
const PENDING_PER_ADDRESS = 8;

/** A queue of verifications with a limit per address: of the hashes of the process, or of the tokens of an adapter. */
export class PasswordHashing {
  readonly #queue: HashingQueue;
  readonly #pendingPerAddress: number;

  constructor(queue: HashingQueue = new HashingQueue(), pendingPerAddress: number = PENDING_PER_ADDRESS) {
    this.#queue = queue;
    this.#pendingPerAddress = pendingPerAddress;
  }

  /** A queue of other work with the same limit per address. */
  over(queue: HashingQueue): PasswordHashing {
    return new PasswordHashing(queue, this.#pendingPerAddress);
  }

  /** As {@link HashingQueue.run}, with the network address as the client. */
  run<T>(task: () => Promise<T>, { address, signal }: PasswordClient): Promise<T> {
    const client = addressKey(address);
    return this.#queue.run(task, { client, pendingPerClient: this.#pendingPerAddress, signal });
  }
}
