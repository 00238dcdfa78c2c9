import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  LineWriter,
  openFileSink,
  openStandardSink,
  STANDARD_OUTPUT,
  ConfigurationError,
  type LineWriterEvents,
  type Log,
  type MvcEvent,
} from '../../framework';
import { accessLine } from './access-line';

/**
 * A line of JSON for each request, written by an observer after the answer was sent. What identifies a request
 * is in it, credentials never are: neither fields of the request nor its query.
 */
export class AccessLog {
  readonly #writer: LineWriter;
  readonly #clock = new TextClock();

  /**
   * @param file absolute; standard output when undefined
   * @param log told when lines cannot be written
   * @throws ConfigurationError for a file that cannot be written
   */
  constructor(file: string | undefined, log: Log) {
    this.#writer = open(file, tellers(file ?? 'standard output', log));
  }

  /** Ends the log: the file is closed, standard output is not. */
  close(): void {
    this.#writer.close();
  }

  /** Notes a request that was answered, or whose client left before it was. */
  note({ request, identity, outgoing, startedAt, problem }: MvcEvent): void {
    const line = accessLine({
      time: this.#clock.now(),
      method: request.method,
      path: request.path,
      status: outgoing.headersSent ? outgoing.statusCode : null,
      requestId: request.id,
      milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
      user: identity?.name ?? null,
      address: request.address,
      code: problem?.code,
      isAborted: !outgoing.writableFinished,
    });
    this.#writer.write(line);
  }
}

/** The time as text; made once for all that happens in one millisecond. */
class TextClock {
  #at = 0;
  #text = '';

  /** As RFC 3339 has it, in UTC. */
  now(): string {
    const now = Date.now();
    if (now !== this.#at) {
      this.#at = now;
      this.#text = new Date(now).toISOString();
    }
    return this.#text;
  }
}

function open(file: string | undefined, events: LineWriterEvents): LineWriter {
  try {
    if (file === undefined) return new LineWriter(openStandardSink(STANDARD_OUTPUT), events);
    mkdirSync(path.dirname(file), { recursive: true });
    return new LineWriter(openFileSink(file), events);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `The access log cannot be written: ${reason}. ` +
        `Make ${file ?? 'standard output'} writable, or name another file in platform-operations.access_log.file.`,
      { cause: error },
    );
  }
}

function tellers(file: string, log: Log): LineWriterEvents {
  return {
    failed: (err) =>
      log.error({ err, file }, 'The access log cannot be written. Requests are answered, their lines wait.'),
    recovered: (lost) =>
      log.warn({ file, lost }, `The access log is written again; ${lost} lines of requests are missing.`),
  };
}
