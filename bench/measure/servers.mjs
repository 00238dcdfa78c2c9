// The servers of a workload: started for it, and stopped after it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { benchProject, built, root, sampleProject } from '../platform/project.mjs';
import { startService } from './service.mjs';

/** The core of every server; the load runs on another. */
const SERVER_CORE = 0;

export class Servers {
  #started = [];
  #folders = [];
  #core;

  /** @param {{ short?: boolean }} [options] with `short`, servers may run on any core */
  constructor({ short = false } = {}) {
    this.#core = short ? undefined : SERVER_CORE;
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
   * @param {{ besides?: readonly string[], changes?: object, environment?: Record<string, string> }} [options]
   */
  platform(kind, module, { besides, changes, environment } = {}) {
    return this.#platform(benchProject(kind, module, { besides, changes }), environment);
  }

  /** The platform with the sample configuration and the Atlas. @param {object} [changes] merged over it */
  sample(changes, files) {
    return this.#platform(sampleProject(changes, files));
  }

  /** A file that exists as long as the servers. @returns {string} its path */
  file(name, text) {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
    this.#folders.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** Stops all of them, including those that are still starting. */
  async stop() {
    const started = await Promise.allSettled(this.#started.splice(0));
    await Promise.all(started.map(({ value: service }) => service?.stop()));
    for (const remove of this.#folders.splice(0)) remove();
  }

  #platform({ folder, remove }, environment) {
    this.#folders.push(remove);
    return this.#start([path.join(built, 'dist/index.js'), '--root', folder], environment);
  }

  #start(args, environment) {
    const service = startService(args, this.#core, environment);
    this.#started.push(service);
    return service;
  }
}
