import {
  abortOf,
  lineFormat,
  LineWriter,
  deferredFileSink,
  openFileSink,
  openStandardSink,
  refusalOf,
  sentStatus,
  STANDARD_OUTPUT,
  Timestamps,
  ConfigurationError,
  type Endpoint,
  type LineWriterEvents,
  type Log,
  type LogFormat,
  type MvcEvent,
  errorMessage,
} from '../../framework';
import { isHosted, operationId } from '../hosting';
import { accessLine, operationMembers } from './access-line';

/**
 * Writes a line of JSON for each request, after the response was sent. It never contains credentials: no header
 * fields of the request, and no query.
 */
export class AccessLog {
  readonly #writer: LineWriter;
  readonly #timestamps = new Timestamps();
  readonly #format: ((line: string) => string) | undefined;
  readonly #operations = new Map<Endpoint, string>();

  /**
   * @param file absolute path; defaults to standard output
   * @param format of standard output; a file is JSON
   * @param log receives failures to write
   * @param createsFile whether a missing file is created now, and not by the first line
   * @throws ConfigurationError for a file that cannot be written
   */
  constructor(file: string | undefined, format: LogFormat, log: Log, createsFile = true) {
    this.#writer = openWriter(file, reportTo(file ?? 'standard output', log), createsFile);
    this.#format = file === undefined ? lineFormat(STANDARD_OUTPUT, format) : undefined;
  }

  /** Opens the file again by its name, after it was renamed. */
  reopen(): void {
    this.#writer.reopen();
  }

  /** Closes the file; standard output stays open. */
  close(): void {
    this.#writer.close();
  }

  /** Logs a request that was answered or aborted. */
  record(event: MvcEvent): void {
    const { request, response, identity, outgoing, startedAt, problem, endpoint } = event;
    const refusal = refusalOf(outgoing);
    const line = accessLine({
      time: this.#timestamps.of(Date.now()),
      method: request.method,
      path: request.path,
      status: sentStatus(outgoing),
      requestId: request.id,
      traceId: event.traceId,
      milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
      bytes: refusal?.bytes ?? response.sentBytes,
      user: identity?.name ?? null,
      address: request.address,
      operation: endpoint === undefined ? '' : this.#operationOf(endpoint),
      code: (refusal ?? problem)?.code,
      abortedBy: abortOf(outgoing),
    });
    this.#writer.write(this.#format?.(line) ?? line);
  }

  #operationOf(endpoint: Endpoint): string {
    const known = this.#operations.get(endpoint);
    if (known !== undefined) return known;
    const members = isHosted(endpoint)
      ? operationMembers({ ...endpoint, operation: operationId(endpoint) })
      : '';
    this.#operations.set(endpoint, members);
    return members;
  }
}

function openWriter(file: string | undefined, events: LineWriterEvents, createsFile: boolean): LineWriter {
  try {
    if (file === undefined) return new LineWriter(openStandardSink(STANDARD_OUTPUT), events);
    return new LineWriter(createsFile ? openFileSink(file) : deferredFileSink(file), events);
  } catch (error) {
    const reason = errorMessage(error);
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
    recreated: () =>
      log.warn(
        { file },
        'The file of the access log was removed, and was created again. Its last lines may be lost.',
      ),
  };
}
