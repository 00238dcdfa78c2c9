// HAProxy in front of two servers, which it selects by the readiness that they report.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { accepts } from '../../scripts/ports.mjs';

/** Milliseconds between two health checks. */
export const CHECK_INTERVAL_MS = 200;

const configurationFor = (port, servers) => `
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
  timeout check 10s
  default-server inter ${CHECK_INTERVAL_MS}ms fall 1 rise 2
frontend public
  bind 127.0.0.1:${port}
  default_backend platform
backend platform
  balance roundrobin
  option httpchk GET /ready
  http-check expect status 200
${servers.map((one, at) => `  server s${at} 127.0.0.1:${one.port} check port ${one.operations}`).join('\n')}
`;

/**
 * Starts HAProxy.
 * @param {{ port: number, operations: number }[]} servers
 */
export async function startHaproxy(program, folder, port, servers) {
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(port, servers));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${output}`);
    if (await accepts(port)) break;
    await delay(20);
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
