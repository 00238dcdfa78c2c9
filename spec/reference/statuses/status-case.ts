import { errors, type ErrorCode } from '../../../src/framework';
import type { AdminPlatform } from '../../factories/admin/admin';
import { sendRaw, type RawAnswer } from '../../factories/http/raw-http';

/** A request that causes a certain status, and how it is shown. */
export interface StatusCase {
  /** The precondition, e.g. "after ten wrong passwords". */
  readonly when?: string;
  /** Defaults to GET. */
  readonly method?: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Shown instead of the headers and the body when they are long. */
  readonly shown?: string;
  /** Establishes the precondition. @returns headers that are sent but not shown */
  readonly prepare?: (platform: AdminPlatform) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Sends it in another way than shown. */
  readonly send?: (platform: AdminPlatform) => Promise<RawAnswer>;
  /** What a reader should do, when no entry of `docs/errors.md` says so. */
  readonly reader?: string;
}

/** The response to a request. */
export interface StatusResult {
  readonly statusCase: StatusCase;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** The media type of the response. */
  readonly type: string | undefined;
  /** The names of informative headers. */
  readonly fields: readonly string[];
}

/** Response headers that clients act on. */
const INFORMATIVE_HEADERS = [
  'Accept-Encoding',
  'Access-Control-Allow-Origin',
  'Allow',
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'Retry-After',
  'WWW-Authenticate',
];

/** Records which errors of the table are created, as a response does not name its own. */
export class ErrorTable {
  readonly #created = new Map<string, ErrorCode>();

  constructor() {
    // Each has different arguments, which are passed unchanged.
    const entries: Readonly<Record<ErrorCode, { status: number; detail: (args: never) => string }>> = errors;
    for (const code of errorCodes) {
      const { status, detail } = entries[code];
      jest.spyOn(entries[code], 'detail').mockImplementation((args) => {
        const text = detail(args);
        this.#created.set(`${status} ${text}`, code);
        return text;
      });
    }
  }

  /** @returns undefined for a response that is not in the table */
  codeOf({ status, body }: RawAnswer): ErrorCode | undefined {
    return status < 400 || !body.startsWith('{')
      ? undefined
      : this.#created.get(`${status} ${(JSON.parse(body) as { readonly detail: string }).detail}`);
  }
}

/** The names of the table of errors. */
export const errorCodes = Object.keys(errors) as readonly ErrorCode[];

/** Sends a request, and records the response. */
export async function runStatusCase(
  platform: AdminPlatform,
  provocation: StatusCase,
  table: ErrorTable,
): Promise<StatusResult> {
  const hidden = await provocation.prepare?.(platform);
  const answer = await (provocation.send?.(platform) ??
    sendRaw(platform.origin, requestBytes(platform.origin, provocation, hidden)));
  const fields = new Map(answer.fields);
  return {
    statusCase: provocation,
    status: answer.status,
    code: table.codeOf(answer),
    type: fields.get('content-type'),
    fields: INFORMATIVE_HEADERS.filter((name) => fields.has(name.toLowerCase())),
  };
}

/** The bytes of a request on a new connection. */
export function requestBytes(
  origin: string,
  { method = 'GET', path, fields = {}, body }: StatusCase,
  hidden: Readonly<Record<string, string>> = {},
): string {
  const lines = Object.entries({
    Host: new URL(origin).host,
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...fields,
    ...hidden,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
