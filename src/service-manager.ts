import { execFile } from 'node:child_process';

/** A state in the protocol of sd_notify(3). */
export type ServiceState = 'ready' | 'reloading' | 'stopping';

/** The end of the latest notification: systemd must receive them in order. */
let latest: Promise<void> = Promise.resolve();

/**
 * Tells systemd about the state of the service, if it started the process with `Type=notify`. The notification is sent by
 * the program `systemd-notify`, because Node cannot write to datagram sockets of the file system.
 *
 * @param report receives why a notification could not be sent
 */
export function notifyServiceManager(
  state: ServiceState,
  { NOTIFY_SOCKET }: Readonly<Record<string, string | undefined>>,
  report: (message: string) => void,
): void {
  if (NOTIFY_SOCKET === undefined) return;
  const message =
    state === 'ready' ? ['--ready', `--pid=${process.pid}`] : [`--${state}`, `--pid=${process.pid}`];
  const notify = (done: () => void): void => {
    execFile('systemd-notify', message, (error) => {
      if (error !== null) report(`systemd was not notified (${state}): ${error.message.trim()}`);
      done();
    });
  };
  // It is the last one, and the process may end before earlier ones have been sent.
  if (state === 'stopping') notify(() => undefined);
  else latest = latest.then(() => new Promise(notify));
}
