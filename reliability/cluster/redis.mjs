// Redis servers, and the TCP proxy through which nodes reach one of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const { Redis } = createRequire(import.meta.url)('ioredis');

/** A Redis server that keeps nothing on disk unless `SAVE` is sent. */
export class RedisProcess {
  #program;
  #folder = mkdtempSync(path.join(tmpdir(), 'redis-'));
  #child;
  #client;

  constructor(program, port) {
    this.#program = program;
    this.port = port;
  }

  async start() {
    const settings = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    this.#child = spawn(
      this.#program,
      [...settings, '--appendonly', 'no', '--repl-diskless-sync-delay', '0'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const kill = () => this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.#child.once('exit', () => process.off('exit', kill));
    let log = '';
    this.#child.stdout.on('data', (chunk) => (log += chunk));
    while (!log.includes('Ready to accept connections')) {
      if (this.#child.exitCode !== null) throw new Error(`Redis did not start: ${log}`);
      await delay(5);
    }
    return this;
  }

  command(...args) {
    this.#client ??= new Redis(this.port, '127.0.0.1', { retryStrategy: () => 50 }).on(
      'error',
      () => undefined,
    );
    return this.#client.call(...args);
  }

  signal(name) {
    this.#child.kill(name);
  }

  async kill() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async close() {
    this.#client?.disconnect();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Passes connections on to a server, which can be replaced, and delays what is sent. */
export class TcpProxy {
  /** Milliseconds by which each octet arrives later, in each direction. */
  delay = 0;
  #target;
  #server;
  #sockets = new Set();

  static async open(target) {
    const proxy = new TcpProxy();
    proxy.#target = target;
    proxy.#server = createServer((client) => proxy.#pass(client));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port() {
    return this.#server.address().port;
  }

  /** Passes new connections on to another server, and closes those to the previous one. */
  redirect(target) {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  close() {
    this.#server.close();
    this.redirect(this.#target);
  }

  #pass(client) {
    const server = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      this.#sockets.add(from);
      from.on('data', (chunk) => {
        if (this.delay === 0) to.write(chunk);
        else setTimeout(() => to.writable && to.write(chunk), this.delay);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}

/** A port that is free now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
