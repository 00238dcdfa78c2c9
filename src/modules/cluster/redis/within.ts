/**
 * Waits for a reply. One that has arrived while the event loop was busy is not late: it is read before the time counts
 * as over.
 *
 * @param milliseconds after which the result rejects
 */
export function within<T>(reply: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = (): void => reject(new Error(`there was no reply within ${milliseconds} ms`));
    // Timers run before sockets are read, immediates after.
    const timer = setTimeout(() => setImmediate(expire), milliseconds);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
