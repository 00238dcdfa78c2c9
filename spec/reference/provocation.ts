import { errors, type ErrorCode } from '../../src/framework';
import type { AdminPlatform } from '../factories/admin';
import { sendRaw, type RawAnswer } from '../factories/raw-http';

/** A request that is answered with a certain status, and how it is shown. */
export interface Provocation {
  /** What has to be so before, e.g. "after ten wrong passwords". */
  readonly when?: string;
  /** GET unless told. */
  readonly method?: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** In the place of the fields and the body, where they are long. */
  readonly shown?: string;
  /** Makes it so. @returns fields that are sent, and not shown */
  readonly prepare?: (platform: AdminPlatform) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Sends it another way than as it is shown. */
  readonly send?: (platform: AdminPlatform) => Promise<RawAnswer>;
  /** What a reader does, where no entry of `docs/errors.md` says so. */
  readonly reader?: string;
}

/** What came of a request. */
export interface Provoked {
  readonly provocation: Provocation;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** The media type of what came. */
  readonly type: string | undefined;
  /** The names of fields that tell more. */
  readonly fields: readonly string[];
}

/** Fields of answers that a client goes by. */
const TELLING = [
  'Accept-Encoding',
  'Access-Control-Allow-Origin',
  'Allow',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
];

/** Listens to which errors of the table are made, as an answer does not name its own. */
export class ErrorTable {
  readonly #made = new Map<string, ErrorCode>();

  constructor() {
    // Each takes arguments of its own, which go through as they are.
    const entries: Readonly<Record<ErrorCode, { status: number; detail: (args: never) => string }>> = errors;
    for (const code of errorCodes) {
      const { status, detail } = entries[code];
      jest.spyOn(entries[code], 'detail').mockImplementation((args) => {
        const text = detail(args);
        this.#made.set(`${status} ${text}`, code);
        return text;
      });
    }
  }

  /** @returns undefined for an answer that is not of the table */
  codeOf({ status, body }: RawAnswer): ErrorCode | undefined {
    return status < 400 || !body.startsWith('{')
      ? undefined
      : this.#made.get(`${status} ${(JSON.parse(body) as { readonly detail: string }).detail}`);
  }
}

/** The names of the table of errors. */
export const errorCodes = Object.keys(errors) as readonly ErrorCode[];

/** Sends a request, and notes what came. */
export async function provoke(
  platform: AdminPlatform,
  provocation: Provocation,
  table: ErrorTable,
): Promise<Provoked> {
  const hidden = await provocation.prepare?.(platform);
  const answer = await (provocation.send?.(platform) ??
    sendRaw(platform.origin, written(platform.origin, provocation, hidden)));
  const fields = new Map(answer.fields);
  return {
    provocation,
    status: answer.status,
    code: table.codeOf(answer),
    type: fields.get('content-type'),
    fields: TELLING.filter((name) => fields.has(name.toLowerCase())),
  };
}

/** The bytes of a request on a connection of its own. */
export function written(
  origin: string,
  { method = 'GET', path, fields = {}, body }: Provocation,
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
