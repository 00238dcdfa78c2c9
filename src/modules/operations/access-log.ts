import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import pino, { type DestinationStream, type Logger } from 'pino';
import { StartError, type MvcEvent } from '../../framework';

/**
 * A line of JSON for each request, written by an observer after the answer was sent. What identifies a request
 * is in it, credentials never are: neither fields of the request nor its query.
 */
export class AccessLog {
  readonly #logger: Logger;
  readonly #destination: DestinationStream & { end?: () => void };

  /**
   * @param file absolute; standard output when undefined
   * @throws StartError for a file that cannot be written
   */
  constructor(file: string | undefined) {
    if (file !== undefined) assertWritable(file);
    this.#destination = pino.destination({ dest: file ?? 1, sync: true, append: true });
    this.#logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, this.#destination);
  }

  /** Ends the log: the file is closed, standard output is not. */
  close(): void {
    this.#destination.end?.();
  }

  /** Notes a request that was answered, or whose client left before it was. */
  note({ request, response, identity, outgoing, startedAt }: MvcEvent): void {
    this.#logger.info({
      method: request.method,
      path: request.path,
      status: outgoing.headersSent ? response.status : null,
      request_id: request.id,
      milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
      user: identity?.name ?? null,
      address: request.address,
      ...(outgoing.writableFinished ? {} : { aborted: true }),
    });
  }
}

function assertWritable(file: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    closeSync(openSync(file, 'a'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The access log cannot be written: ${reason}. ` +
        `Make ${file} writable, or name another file in platform-operations.access_log.file.`,
      { cause: error },
    );
  }
}
