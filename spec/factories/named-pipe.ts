import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';

/** A pipe as shells make them, for a standard stream of a process: what Node makes is a socket. */
export class NamedPipe {
  readonly #readEnd: number;
  /** For a process; blocks where the process does not see to it itself. */
  readonly writeEnd: number;

  constructor(folder: string) {
    const file = path.join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    this.#readEnd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    this.writeEnd = openSync(file, constants.O_WRONLY);
  }

  /** Once a process has it: the pipe ends with that process. */
  closeWriteEnd(): void {
    closeSync(this.writeEnd);
  }

  /** Begins to read; nothing was read before. */
  stream(): Socket {
    return new Socket({ fd: this.#readEnd, readable: true, writable: false });
  }

  /** Everything to the end. */
  async read(): Promise<string> {
    let text = '';
    for await (const data of this.stream()) text += String(data);
    return text;
  }
}
