import { open, type FileHandle } from 'node:fs/promises';
import { isObject, parseJson, systemErrorCode } from '../../../framework';

/** A line of the audit log, as written. */
type AuditRecord = Readonly<Record<string, unknown>> & {
  readonly time: string;
  readonly action: string;
  readonly outcome: string;
};

export interface AuditQuery {
  /** Entries that begin before this offset in bytes; defaults to the end of the file. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly administrator?: string | undefined;
  readonly action?: string | undefined;
}

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditRecord[];
  /** The `before` of the following page; undefined at the beginning of the file. */
  readonly next: number | undefined;
}

const CHUNK_BYTES = 65_536;

/** So many bytes are searched for one page; a filter may match rarely. */
const MAX_BYTES = 16_777_216;

const LINE_BREAK = 10;

/**
 * Reads a page of the audit log backwards, so that its size does not matter. Lines that are not entries are skipped. A
 * missing file has no entries.
 * @throws the error of the file system
 */
export async function readAuditPage(file: string, query: AuditQuery): Promise<AuditPage> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { entries: [], next: undefined };
    throw error;
  }
  try {
    return await readBackwards(handle, query);
  } finally {
    await handle.close();
  }
}

async function readBackwards(handle: FileHandle, query: AuditQuery): Promise<AuditPage> {
  const { size } = await handle.stat();
  const start = Math.min(query.before ?? size, size);
  const entries: AuditRecord[] = [];
  /** The beginning of what is read, which may be within a line, and what is read of that line. */
  let position = start;
  let rest: Buffer = Buffer.alloc(0);
  while (position > 0 && start - position < MAX_BYTES) {
    const length = Math.min(CHUNK_BYTES, position);
    const chunk = Buffer.alloc(length);
    await handle.read(chunk, 0, length, position - length);
    position -= length;
    rest = Buffer.concat([chunk, rest]);
    let end = rest.length;
    for (;;) {
      // The line before the line break at its end.
      const from = end < 2 ? -1 : rest.lastIndexOf(LINE_BREAK, end - 2);
      if (from < 0 && position > 0) break;
      const entry = parse(rest.subarray(from + 1, end).toString('utf8'));
      if (entry !== undefined && matches(entry, query)) entries.push(entry);
      end = from + 1;
      if (entries.length === query.limit)
        return { entries, next: position + end === 0 ? undefined : position + end };
      if (end === 0) break;
    }
    rest = rest.subarray(0, end);
  }
  const next = position + rest.length;
  return { entries, next: position === 0 || next === 0 ? undefined : next };
}

function parse(line: string): AuditRecord | undefined {
  const value = parseJson(line);
  return isObject(value) && ['time', 'action', 'outcome'].every((name) => typeof value[name] === 'string')
    ? (value as AuditRecord)
    : undefined;
}

function matches(entry: AuditRecord, { administrator, action }: AuditQuery): boolean {
  return (
    (administrator === undefined || entry.administrator === administrator) &&
    (action === undefined || entry.action === action)
  );
}
