import type { Worker as ClusterWorker } from 'node:cluster';
import { isObject } from '../framework';
import type { WorkerState } from './pool/worker-process';

/** A connection that the primary hands to a worker, in the protocol of `node:cluster`. */
interface HandedConnection {
  readonly cmd: 'NODE_CLUSTER';
  readonly act: 'newconn';
  readonly seq: number;
  /** The socket. */
  readonly key?: string;
}

/** The worker has taken it, or has stopped listening. */
interface Acknowledgement {
  readonly cmd: 'NODE_CLUSTER';
  readonly ack: number;
  readonly accepted?: boolean;
}

/** The workers that share a socket of the primary, by its key. It is closed with the last one. */
const sharing = new Map<unknown, Set<ClusterWorker>>();

function share(key: string, worker: ClusterWorker): void {
  const workers = sharing.get(key) ?? new Set();
  sharing.set(key, workers.add(worker));
}

function leave(key: unknown, worker: ClusterWorker): void {
  const workers = sharing.get(key);
  // A worker that listens later has another socket.
  if (workers?.delete(worker) === true && workers.size === 0) sharing.delete(key);
}

/** How long messages of a worker that has ended may still arrive, in milliseconds. */
const LAST_MESSAGES_MS = 100;

/**
 * Hands connections to another worker that were on their way to one that has died. `node:cluster` waits for its
 * acknowledgement forever (lib/internal/cluster/round_robin_handle.js), and so would the client. A worker acknowledges a
 * connection before it reads from it: no request is handled twice.
 *
 * @param ready the workers that accept connections; without another one, the connection is closed
 */
export function rescueConnections(
  worker: ClusterWorker,
  ready: () => readonly { readonly state: WorkerState }[],
): void {
  const pending = new Map<number, PendingConnection>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: readonly unknown[]) => boolean;
  child.send = (...args: readonly unknown[]): boolean => {
    const [message, handle] = args;
    if (isHanded(message) && isCloseable(handle))
      pending.set(message.seq, { handle, workers: sharing.get(message.key) });
    else if (isListening(message)) share(message.key, worker);
    return send(...args);
  };
  child.on('internalMessage', (message: unknown) => {
    if (isObject(message) && message.act === 'close') leave(message.key, worker);
    if (!isAcknowledgement(message)) return;
    const one = pending.get(message.ack);
    pending.delete(message.ack);
    // No worker of its socket is left: `node:cluster` keeps it for the next one, which has another socket.
    if (message.accepted === false && one?.workers?.size === 0) one.handle.close();
  });
  const rescue = (hasOthers: boolean): void => {
    for (const [ack, { handle }] of [...pending]) {
      pending.delete(ack);
      // As a worker does that has stopped listening.
      if (hasOthers) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false });
      else handle.close();
    }
  };
  // There is no event after the last message: the channel stays open as long as a connection is not acknowledged.
  child.once('exit', () => {
    for (const key of [...sharing.keys()]) leave(key, worker);
    // Those that listen later do so on another socket if this was the last one: they would never get the connection.
    const others = ready();
    setTimeout(() => rescue(others.some(({ state }) => state === 'ready')), LAST_MESSAGES_MS);
  });
}

function isHanded(message: unknown): message is HandedConnection {
  return isObject(message) && message.cmd === 'NODE_CLUSTER' && message.act === 'newconn';
}

function isAcknowledgement(message: unknown): message is Acknowledgement {
  return isObject(message) && message.cmd === 'NODE_CLUSTER' && typeof message.ack === 'number';
}

/** The response to a worker that listens from now on. */
function isListening(message: unknown): message is { readonly key: string } {
  return (
    isObject(message) &&
    message.cmd === 'NODE_CLUSTER' &&
    typeof message.ack === 'number' &&
    typeof message.key === 'string' &&
    !message.errno
  );
}

interface Closeable {
  close(): void;
}

interface PendingConnection {
  readonly handle: Closeable;
  /** Those that share its socket. */
  readonly workers: ReadonlySet<ClusterWorker> | undefined;
}

function isCloseable(handle: unknown): handle is Closeable {
  return isObject(handle) && typeof handle.close === 'function';
}
