// A bare server in a process of its own: what its clients wait is due to the machine, not to the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const SERVER = `
  const server = require('node:http').createServer((request, response) => response.end('control'));
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;

export async function startControl() {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const [line] = await once(child.stdout, 'data');
  return {
    origin: String(line).trim(),
    stop: () => {
      process.off('exit', kill);
      kill();
    },
  };
}
