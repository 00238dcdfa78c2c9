// The servers of a workload: started for it, and stopped after it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { benchProject, built, root, sampleProject } from '../platform/project.mjs';
import { nodeBinary } from './node-binary.mjs';
import { startService } from './service.mjs';

/** The core of every server; the load runs on another. */
const SERVER_CORE = 0;

export class Servers {
  #started = [];
  /** What is removed with the servers: folders, databases. */
  #cleanups = [];
  #core;
  #binary;

  /**
   * @param {{ short?: boolean, node?: string }} [options] with `short`, servers may run on any core; `node`: the major
   *   version that runs them
   */
  constructor({ short = false, node } = {}) {
    this.#core = short ? undefined : SERVER_CORE;
    this.#binary = nodeBinary(node);
  }

  /**
   * A peer.
   * @param {string} file below `bench/`
   * @param {Record<string, string>} [environment]
   */
  peer(file, environment) {
    return this.#start([path.join(root, 'bench', file)], environment);
  }

  /**
   * The platform, with a module of `bench/platform`.
   * @param {'hosting' | 'everything'} kind
   * @param {string} module
   * @param {{ besides?: readonly string[], changes?: object, files?: Record<string, string>, environment?: Record<string, string> }} [options]
   */
  platform(kind, module, { environment, ...options } = {}) {
    return this.#platform(benchProject(kind, module, options), environment);
  }

  /** The platform with the sample configuration and the Atlas. @param {object} [changes] merged over it */
  sample(changes, files) {
    return this.#platform(sampleProject(changes, files));
  }

  /** A file that exists as long as the servers. @returns {string} its path */
  file(name, text) {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
    this.#cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** Calls a function after the servers have stopped. @param {() => Promise<void>} cleanup */
  atStop(cleanup) {
    this.#cleanups.push(cleanup);
  }

  /** Stops all of them, including those that are still starting. */
  async stop() {
    const started = await Promise.allSettled(this.#started.splice(0));
    await Promise.all(started.map(({ value: service }) => service?.stop()));
    for (const cleanup of this.#cleanups.splice(0)) await cleanup();
  }

  #platform({ folder, remove }, environment) {
    this.#cleanups.push(remove);
    return this.#start([path.join(built, 'dist/index.js'), '--root', folder], environment);
  }

  #start(args, environment) {
    const service = startService(args, { core: this.#core, binary: this.#binary, environment });
    this.#started.push(service);
    return service;
  }
}
