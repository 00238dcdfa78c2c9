import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { clientAnswer, type ClientAnswer, type Session } from './client';

/**
 * A process that sends sessions with clients of another language or package: it reads a session as a line of JSON and
 * writes the responses as another.
 */
export class SessionProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** @param client its name in the process */
  async send(client: string, session: Session): Promise<readonly ClientAnswer[]> {
    this.#child.stdin.write(`${JSON.stringify({ client, ...session })}\n`);
    const answer = await this.#answers.next();
    if (answer.done === true) throw new Error(`No answer came from the process that runs ${client}.`);
    return Value.Parse(Type.Array(clientAnswer), JSON.parse(answer.value));
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return new Promise((done) => {
      this.#child.once('close', () => done());
      this.#child.stdin.end();
    });
  }
}
