/** An error of a driver, as a worker thread reports it too. Some drivers report no code for some calls. */
export interface SqliteFailure {
  readonly message: string;
  /** The extended result code. */
  readonly errcode?: number | undefined;
  /** The index of the failed script, of several. */
  readonly script?: number | undefined;
}

/** The part of an error that is known to the driver. */
export function failureOf(error: unknown): SqliteFailure {
  const {
    message = String(error),
    errcode,
    script,
  } = (error ?? {}) as { message?: string; errcode?: unknown; script?: unknown };
  return { message, errcode: numberOf(errcode), script: numberOf(script) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Begins the message for a stored integer beyond 2^53. */
export const TOO_LARGE = 'Value is too large to be represented as a JavaScript number';

/** Whether a result has an integer beyond 2^53. */
export function isUnreadable({ message }: SqliteFailure): boolean {
  return message.startsWith(TOO_LARGE);
}

/** Whether another connection holds a lock, so that a retry may succeed. */
export function isBusy({ message, errcode }: SqliteFailure): boolean {
  const primary = (errcode ?? 0) & 0xff;
  return primary === 5 || primary === 6 || /^database (?:table |schema )?is locked/.test(message);
}

/** Whether the file was opened for reading only, or its file system is read-only. */
export function isReadOnly({ message, errcode }: SqliteFailure): boolean {
  return ((errcode ?? 0) & 0xff) === 8 || message.startsWith('attempt to write a readonly database');
}

/** Whether the file cannot be used at all, rather than for this statement. */
export function isFileFailure({ message, errcode }: SqliteFailure): boolean {
  return (
    [10, 11, 14, 26].includes((errcode ?? 0) & 0xff) ||
    /^unable to open|^disk I\/O error|^file is not a database|^database disk image/.test(message)
  );
}
