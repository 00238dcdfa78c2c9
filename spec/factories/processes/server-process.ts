import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { makeProject, type TestProject } from '../platform';
import { SERVER } from './platform-process';

/** How a server ended. */
interface EndedServer {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A started server, whether or not it listens. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedServer>;
  /** Waits for a text on standard output. @returns its first group, or all of it */
  printed(text: RegExp): Promise<string>;
  /** The same for standard error. */
  printedError(text: RegExp): Promise<string>;
  /** Waits for the URL that it prints. */
  origin(): Promise<string>;
}

/** Servers and project folders of a test of the process itself: its arguments, streams, signals and exit code. */
export class ServerProcesses {
  readonly #roots: string[] = [];
  readonly #children: ChildProcess[] = [];

  /** A project folder, which `clear` removes. */
  project(project: TestProject): string {
    const root = makeProject(project);
    this.#roots.push(root);
    return root;
  }

  /**
   * Starts the server on a free port.
   * @param args its arguments
   */
  start(args: readonly string[], environment: Record<string, string> = {}, cwd?: string): ServerProcess {
    return this.#start(process.execPath, [SERVER, ...args], environment, cwd);
  }

  /** Starts the server with another program, such as one that limits what it can use. */
  startCommand(
    program: string,
    args: (node: string, server: string) => readonly string[],
    environment: Record<string, string> = {},
  ): ServerProcess {
    return this.#start(program, args(process.execPath, SERVER), environment);
  }

  #start(
    program: string,
    args: readonly string[],
    environment: Record<string, string>,
    cwd?: string,
  ): ServerProcess {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: 'off', ...environment },
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#children.push(child);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const ended = new Promise<EndedServer>((resolve) =>
      child.on('close', (code) => resolve({ code, output, errors })),
    );
    const wait = async (text: RegExp, read: () => string): Promise<string> => {
      for (let attempt = 0; attempt < 6_000; attempt++) {
        const found = text.exec(read());
        if (found !== null) return found[1] ?? found[0];
        if (child.exitCode !== null) break;
        await pause(10);
      }
      throw new Error(`The server did not print ${String(text)}: ${output}${errors}`);
    };
    const printed = (text: RegExp): Promise<string> => wait(text, () => output);
    const printedError = (text: RegExp): Promise<string> => wait(text, () => errors);
    return {
      child,
      ended,
      printed,
      printedError,
      origin: () => printed(/^(?:Documentation|Service) +(\S+?)(?:\/platform\/documentation)?\r?\n/m),
    };
  }

  /** Ends the running processes, and removes the folders. */
  clear(): void {
    for (const child of this.#children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    for (const root of this.#roots.splice(0)) rmSync(root, { recursive: true });
  }
}
