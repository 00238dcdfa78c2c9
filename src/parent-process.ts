const INTERVAL_MS = 250;

/**
 * Calls back once the parent of this process has ended. `npm start` passes a signal to the shell that runs the script, and
 * some shells end without passing it on: the server would keep its port.
 */
export function onParentExit(ended: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    ended();
  }, INTERVAL_MS);
  watch.unref();
}
