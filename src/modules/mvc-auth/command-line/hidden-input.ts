import { StringDecoder } from 'node:string_decoder';
import { PasswordEditError } from '../password-files/password-edit-error';
import { InterruptedError, type CommandIo } from './command-io';

const KEY = { interrupt: '\u0003', endOfInput: '\u0004', eraseLine: '\u0015' } as const;

/** Asks for one line that does not show, and resolves to it. */
export type AskHidden = (prompt: string) => Promise<string>;

/**
 * Lets a task ask for lines on the terminal without echo; the echo is back when the task is over, however it
 * ends. Backspace and Ctrl-U erase. Rejects with {@link InterruptedError} at Ctrl-C.
 */
export async function withHiddenInput<T>(io: CommandIo, task: (ask: AskHidden) => Promise<T>): Promise<T> {
  const { stdin, stderr } = io;
  const decoder = new StringDecoder('utf8');
  const chunks = stdin.iterator({ destroyOnReturn: false });
  let typed: string[] = [];
  // Raw from first to last: what is typed ahead of the second question would show otherwise.
  stdin.setRawMode?.(true);
  try {
    return await task(async (prompt) => {
      stderr.write(prompt);
      let line: string[] = [];
      for (;;) {
        for (let key = typed.shift(); key !== undefined; key = typed.shift()) {
          if (key === '\r' || key === '\n') {
            stderr.write('\n');
            return line.join('');
          }
          line = afterKey(line, key);
        }
        const next: IteratorResult<unknown, unknown> = await chunks.next();
        if (next.done === true) throw new PasswordEditError('The input ended before a password was given.');
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

/** The first line of what scripts send; rejects with {@link PasswordEditError} when nothing is sent. */
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
  if (text === '') throw new PasswordEditError('No password came on the standard input.');
  return /^[^\n]*/.exec(text)?.[0].replace(/\r$/, '') ?? '';
}

function toBuffer(chunk: unknown): Buffer {
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
}
