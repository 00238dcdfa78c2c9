// The server of `apidesc-platform dev`: it loads the platform, and starts when it receives the command to, because the next
// server is prepared while the current one runs. Its argument is the root of the project.
import './end-with-parent';
import { loadOwnModules } from '../../loading/own-modules';

loadOwnModules(module, 'server');

import 'reflect-metadata';
import type { Module } from '../../framework';
import { serve } from '../../serve';
import { describe } from '../../signals';
import type { RunningPlatform } from '../../start';

/** What the command sends. */
export type ServerCommand =
  | {
      readonly command: 'start';
      /** The origin that was printed before. */
      readonly knownOrigin: string | undefined;
      readonly port: string | undefined;
    }
  | { readonly command: 'stop' };

/** Defaults for development, which the configuration of the project overrides. */
const development: Module = {
  name: 'development',
  requires: ['operations'],
  defaults: {
    log: { format: 'pretty' },
    view_manager: { display_exceptions: true },
    'platform-operations': { server_timing: 'all' },
  },
};

let platform: RunningPlatform | undefined;

process.on('message', (message: ServerCommand) => {
  if (message.command === 'start') start(message);
  else stop();
});
process.channel?.ref();

function start({ knownOrigin, port }: ServerCommand & { readonly command: 'start' }): void {
  // What runs from now on keeps the process alive, or it ends.
  process.channel?.unref();
  if (port !== undefined) process.env.PORT = port;
  // For the code of the project. As an option of Node, it would keep the compiled code of the platform from being used.
  process.setSourceMapsEnabled(true);
  serve(process.argv[2], { modules: [development], knownOrigin }).then(
    (started) => {
      platform = started;
      process.send?.({ origin: started.origin });
    },
    (error: unknown) => {
      process.stderr.write(`${describe(error)}\n`);
      process.exit(1);
    },
  );
}

/** For a restart: idle connections are closed at once. */
function stop(): void {
  if (platform === undefined) process.exit(0);
  platform.stop({ idleGrace: 0, drainDelay: 0 }).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
