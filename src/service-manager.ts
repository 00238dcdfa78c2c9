import { execFile } from 'node:child_process';

/** A state in the protocol of sd_notify(3). */
export type ServiceState = 'ready' | 'reloading' | 'stopping';

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
  execFile('systemd-notify', message, (error) => {
    if (error !== null) report(`systemd was not notified (${state}): ${error.message.trim()}`);
  });
}
