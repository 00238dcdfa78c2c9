import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { ServerCommand } from './server';

/** Starts a process that loads the platform, which takes most of the time of a start, and waits for a command. */
export function prepareServer(root: string): ChildProcess {
  const server = fork(path.join(__dirname, 'server.js'), [root], {
    cwd: root,
    execArgv: [],
    // Projects that are developed at the same time do not compete for a port that nobody reads.
    env: { OPERATIONS_LISTEN: 'off', ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  // Without a process, such as under a limit of processes; `once` reports it.
  server.on('error', () => undefined);
  return server;
}

/** Sends a command. A process that has ended reports it by its exit. */
export function sendCommand(server: ChildProcess, command: ServerCommand): void {
  server.send(command, () => undefined);
}
