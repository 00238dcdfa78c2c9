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
 * Writes a line of JSON for each request, after the response was sent. It never contains credentials: no header
 * fields of the request, and no query.
 */
export class AccessLog {
  readonly #writer: LineWriter;
  readonly #clock = new Timestamps();

  /**
   * @param file absolute path; defaults to standard output
   * @param log receives failures to write
   * @throws ConfigurationError for a file that cannot be written
   */
  constructor(file: string | undefined, log: Log) {
    this.#writer = openWriter(file, reportTo(file ?? 'standard output', log));
  }

  /** Closes the file; standard output stays open. */
  close(): void {
    this.#writer.close();
  }

  /** Logs a request that was answered or aborted. */
  record({ request, identity, outgoing, startedAt, problem }: MvcEvent): void {
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

/** Formats the current time, once per millisecond. */
class Timestamps {
  #at = 0;
  #text = '';

  /** RFC 3339, in UTC. */
  now(): string {
    const now = Date.now();
    if (now !== this.#at) {
      this.#at = now;
      this.#text = new Date(now).toISOString();
    }
    return this.#text;
  }
}

function openWriter(file: string | undefined, events: LineWriterEvents): LineWriter {
  try {
    if (file === undefined) return new LineWriter(openStandardSink(STANDARD_OUTPUT), events);
    mkdirSync(path.dirname(file), { recursive: true });
    return new LineWriter(openFileSink(file), events);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `The access log cannot be written: ${reason}. ` +
        `Make ${file ?? 'standard output'} writable, or set another file in platform-operations.access_log.file.`,
      { cause: error },
    );
  }
}

function reportTo(file: string, log: Log): LineWriterEvents {
  return {
    failed: (err) =>
      log.error(
        { err, file },
        'The access log cannot be written. Requests are served; their log lines are buffered.',
      ),
    recovered: (lost) =>
      log.warn({ file, lost }, `The access log is written again. ${lost} lines were lost.`),
  };
}
