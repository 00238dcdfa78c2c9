// Redis servers, and the TCP proxy through which nodes reach one of them.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRedis } from '../../scripts/redis.mjs';

const { Redis } = createRequire(import.meta.url)('ioredis');

/** A Redis server that keeps nothing on disk unless `SAVE` is sent. */
export class RedisProcess {
  #program;
  #folder = mkdtempSync(path.join(tmpdir(), 'redis-'));
  #server;
  #client;

  constructor(program, port) {
    this.#program = program;
    this.port = port;
  }

  async start() {
    const settings = ['--dir', this.#folder, '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];
    this.#server = await startRedis(settings, { program: this.#program, port: this.port });
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
    process.kill(this.#server.pid, name);
  }

  async kill() {
    await this.#server.stop();
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
