// The writing processes. Killed processes are replaced from a pool of idle ones.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const WORKER = new URL('worker.mjs', import.meta.url).pathname;

class Worker {
  #child = spawn(process.execPath, [WORKER], { stdio: ['pipe', 'pipe', 'inherit'] });
  #open = new Set();
  #settled = () => undefined;
  isAlive = true;
  done = [];
  refused = [];

  constructor() {
    this.#child.stdin.on('error', () => undefined);
    this.ready = new Promise((resolve) => {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const [what, name, code] = JSON.parse(line);
        if (what === 'ready') return resolve();
        this.#open.delete(name);
        if (what === 'done') this.done.push(name);
        else this.refused.push({ name, code });
        if (this.#open.size === 0) this.#settled();
      });
    });
    // 'close' is emitted after all output was read.
    this.#child.on('close', () => {
      this.isAlive = false;
      this.#settled();
    });
  }

  /** Starts edits; resolves when they end, or the process exits. */
  begin(edits) {
    [this.done, this.refused] = [[], []];
    this.#open = new Set(edits.map(({ name }) => name));
    const settled = new Promise((resolve) => (this.#settled = resolve));
    this.#child.stdin.write(edits.map((edit) => `${JSON.stringify(edit)}\n`).join(''));
    return settled;
  }

  signal(signal) {
    this.#child.kill(signal);
  }
}

export class Team {
  #members;
  #spare = new Worker();

  constructor(size) {
    this.#members = Array.from({ length: size }, () => new Worker());
  }

  /** Returns the running processes, once all are ready. */
  async gather() {
    for (const [at, member] of this.#members.entries()) {
      if (member.isAlive) continue;
      this.#members[at] = this.#spare;
      this.#spare = new Worker();
    }
    await Promise.all(this.#members.map(({ ready }) => ready));
    return this.#members;
  }

  dismiss() {
    for (const member of [...this.#members, this.#spare]) member.signal('SIGKILL');
  }
}
