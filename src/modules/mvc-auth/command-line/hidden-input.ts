import { StringDecoder } from 'node:string_decoder';
import { PasswordEditError } from '../password-files/editing/password-edit-error';
import { InterruptedError, type CommandIo } from './command-io';

const KEY = { interrupt: '\u0003', endOfInput: '\u0004', eraseLine: '\u0015' } as const;

/** Prompts for one line, without echo unless `visible`. */
export type AskHidden = (prompt: string, options?: { readonly visible?: boolean }) => Promise<string>;

/**
 * Runs a task that prompts for lines on the terminal without echo, and restores the echo afterwards. Backspace and Ctrl+U
 * erase. Rejects with {@link InterruptedError} on Ctrl+C.
 */
export async function withHiddenInput<T>(io: CommandIo, task: (ask: AskHidden) => Promise<T>): Promise<T> {
  const { stdin, stderr } = io;
  const decoder = new StringDecoder('utf8');
  const chunks = stdin.iterator({ destroyOnReturn: false });
  let typed: string[] = [];
  // Raw until the end: otherwise type-ahead for the second prompt would be echoed.
  stdin.setRawMode?.(true);
  try {
    return await task(async (prompt, { visible = false } = {}) => {
      stderr.write(prompt);
      let line: string[] = [];
      for (;;) {
        for (let key = typed.shift(); key !== undefined; key = typed.shift()) {
          if (key === '\r' || key === '\n') {
            stderr.write('\n');
            return line.join('');
          }
          const changed = afterKey(line, key);
          if (visible) stderr.write(echoOf(line, changed));
          line = changed;
        }
        const next: IteratorResult<unknown, unknown> = await chunks.next();
        if (next.done === true) throw new PasswordEditError('The input ended before a password was entered.');
        typed = Array.from(decoder.write(toBuffer(next.value)));
      }
    });
  } catch (error) {
    stderr.write('\n');
    throw error;
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
  }
}

function afterKey(line: readonly string[], key: string): string[] {
  if (key === KEY.interrupt) throw new InterruptedError();
  if (key === KEY.endOfInput && line.length === 0) throw new InterruptedError();
  if (key === KEY.eraseLine) return [];
  if (key === '\b' || key === '\u007f') return line.slice(0, -1);
  return [...line, key];
}

/** The terminal output that turns one line into another. */
function echoOf(line: readonly string[], changed: readonly string[]): string {
  return changed.slice(line.length).join('') + '\b \b'.repeat(Math.max(0, line.length - changed.length));
}

/** Reads the first line of standard input. Rejects with {@link PasswordEditError} if it is empty. */
export async function firstLine(io: CommandIo): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  try {
    const chunks: AsyncIterable<unknown> = io.stdin.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      text += decoder.write(toBuffer(chunk));
      if (text.includes('\n')) break;
    }
  } finally {
    io.stdin.pause();
  }
  if (text === '') throw new PasswordEditError('Standard input contains no password.');
  return /^[^\n]*/.exec(text)?.[0].replace(/\r$/, '') ?? '';
}

function toBuffer(chunk: unknown): Buffer {
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
}
