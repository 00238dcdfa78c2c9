// `npm run dev`: rebuilds and restarts when a source file, a template or the configuration changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { fail } from './run.mjs';
import { build, setUp } from './setup.mjs';
import { root } from './up-to-date.mjs';

await setUp().catch(fail);

let service;
let due;
let working = false;

/** A service that a signal has ended has no exit code. */
const isRunning = () => service?.exitCode === null && service.signalCode === null;

function start() {
  service = spawn(process.execPath, ['scripts/start.mjs', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
}

async function restart() {
  if (working) {
    change();
    return;
  }
  working = true;
  try {
    await build(false);
    if (isRunning()) {
      const ended = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await ended;
    }
    start();
  } catch (error) {
    console.error(`${error.message}. The previous build keeps running.`);
  }
  working = false;
}

/** Debounces, because editors write in several steps. */
function change() {
  clearTimeout(due);
  due = setTimeout(() => void restart(), 150);
}

start();
for (const folder of ['src', 'templates', 'config']) {
  watch(path.join(root, folder), { recursive: true }, change);
}
console.log('Watching src, templates and config.');
// A terminal that is closed sends SIGHUP, which the service takes for a reload. Without one, nohup may ignore the signal.
for (const signal of ['SIGINT', 'SIGTERM', ...(process.stdout.isTTY ? ['SIGHUP'] : [])]) {
  process.on(signal, () => {
    service?.once('exit', () => process.exit(0));
    service?.kill('SIGTERM');
    if (!isRunning()) process.exit(0);
  });
}
