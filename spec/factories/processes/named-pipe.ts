import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';

/** A pipe like a shell creates it, for a standard stream of a process: Node.js would create a socket. */
export class NamedPipe {
  readonly #readEnd: number;
  /** The end for a process; blocks unless the process sets O_NONBLOCK. */
  readonly writeEnd: number;

  constructor(folder: string) {
    const file = path.join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    this.#readEnd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    this.writeEnd = openSync(file, constants.O_WRONLY);
  }

  /** Call it once a process has the end: the pipe then closes with that process. */
  closeWriteEnd(): void {
    closeSync(this.writeEnd);
  }

  /** Starts reading; nothing was read before. */
  stream(): Socket {
    return new Socket({ fd: this.#readEnd, readable: true, writable: false });
  }

  /** Reads everything to the end. */
  async read(): Promise<string> {
    let text = '';
    for await (const data of this.stream()) text += String(data);
    return text;
  }
}
