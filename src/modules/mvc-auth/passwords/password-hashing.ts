import type { PasswordClient } from '../http/credential-source';
import { addressKey } from '../throttling/address-key';
import { HashingQueue } from './hashing-queue';

/** Default limit of pending verifications per address. */
const PENDING_PER_ADDRESS = 8;

/** The hashing queue of the process, with the configured limit per address. */
export class PasswordHashing {
  readonly #queue: HashingQueue;
  readonly #pendingPerAddress: number;

  constructor(queue: HashingQueue = new HashingQueue(), pendingPerAddress: number = PENDING_PER_ADDRESS) {
    this.#queue = queue;
    this.#pendingPerAddress = pendingPerAddress;
  }

  /** Returns another queue with the same limit per address, for verifications that compute no hash. */
  withQueue(queue: HashingQueue): PasswordHashing {
    return new PasswordHashing(queue, this.#pendingPerAddress);
  }

  /** As {@link HashingQueue.run}, with the network address as the client. */
  run<T>(task: () => Promise<T>, { address, signal }: PasswordClient): Promise<T> {
    const client = addressKey(address);
    return this.#queue.run(task, { client, pendingPerClient: this.#pendingPerAddress, signal });
  }
}
