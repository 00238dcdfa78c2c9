import type { Readable } from 'node:stream';
import { BodyBuffer, essence, formatPointer, parseMediaType, type MvcEvent } from '../../../framework';
import { assertUtf8, type BodyLimits, decodeUtf8, toFormValue, parseJsonField } from '../parse-body';
import { parseDisposition, sanitizeFilename, type Disposition } from './disposition';
import type { Uploads } from '../policy';
import { limitExceeded } from './limits';
import { malformed } from './malformed';
import { readParts, type Part } from './parts';
import { RequestFolder } from './request-folder';
import { UploadedFile } from './uploaded-file';

/** RFC 2046, 5.1.1. */
const BOUNDARY = /^[^\r\n]{1,70}$/;

/**
 * Reads a `multipart/form-data` body (RFC 7578). Repeated names become a list, a field of type `application/json` is
 * parsed, and a file becomes an `UploadedFile`, which is deleted when the request ends.
 *
 * @param exactNumbers whether `roundedNumbers` of the event names the numbers in JSON that are not doubles
 * @throws Problem 400; 413 with the exceeded limit; 415 for a charset other than UTF-8; 507 if a file cannot be
 * stored
 */
export async function readForm(
  event: MvcEvent,
  contentType: string,
  uploads: Uploads,
  exactNumbers = false,
): Promise<unknown> {
  assertUtf8(contentType);
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) {
    throw malformed('its Content-Type has no boundary of 1 to 70 characters.');
  }
  const folder = new RequestFolder(event, uploads.folder);
  const form = new Form({ ...uploads, exactNumbers }, folder, (bytes) => event.request.reserve(bytes));
  try {
    await readParts(event.request.chunks(uploads.limits.total), boundary, (part) => form.add(part));
    const value = toFormValue(form.values());
    if (form.rounded.length > 0) event.roundedNumbers = form.rounded;
    return value;
  } catch (error) {
    // Immediately, without waiting for the client to receive the response.
    await folder.remove();
    throw error;
  }
}

/** The capacity of a buffer is needed only until the end of its field; the bytes of all fields are reserved. */
const NOT_RESERVED = { add: (): void => undefined };

/** A field of the type JSON. */
class JsonText {
  constructor(readonly text: string) {}
}

/** Collects the fields and files of a form. */
class Form {
  readonly #limits: Uploads['limits'];
  readonly #json: BodyLimits;
  readonly #reserve: (bytes: number) => void;
  readonly #folder: RequestFolder;
  /** In the order of the form; undefined for a file input without a file. */
  readonly #entries: (readonly [name: string, value: unknown] | undefined)[] = [];
  readonly #rounded: string[] = [];
  #files = 0;
  /** File inputs without a file. */
  #inputs = 0;
  #fields = 0;

  /** @param reserve accounts for bytes that are held in memory */
  constructor(
    { limits, depth, members, exactNumbers }: Uploads & Pick<BodyLimits, 'exactNumbers'>,
    folder: RequestFolder,
    reserve: (bytes: number) => void,
  ) {
    this.#reserve = reserve;
    this.#limits = limits;
    this.#json = { depth, members, exactNumbers };
    this.#folder = folder;
  }

  /**
   * The values by name, in the order of the form. JSON is parsed when all names are known: the pointer to a repeated field
   * has its index.
   * @throws Problem 400 for JSON that is not valid
   */
  values(): readonly (readonly [name: string, value: unknown])[] {
    const entries = this.#entries.filter((entry) => entry !== undefined);
    const counts = new Map<string, number>();
    for (const [name] of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
    const indexes = new Map<string, number>();
    return entries.flatMap(([name, value]) => {
      const at = indexes.get(name) ?? 0;
      const keys = counts.get(name) === 1 ? [name] : [name, at];
      const read =
        value instanceof JsonText
          ? parseJsonField(value.text, this.#json, formatPointer(keys), this.#rounded)
          : value;
      if (read === undefined) return [];
      indexes.set(name, at + 1);
      return [[name, read] as const];
    });
  }

  /** JSON Pointers to the numbers in JSON that are not doubles, if numbers have to be exact; known after `values`. */
  get rounded(): readonly string[] {
    return this.#rounded;
  }

  async add({ fields, content }: Part): Promise<void> {
    const disposition = parseDisposition(fields.get('content-disposition') ?? '');
    if (disposition === undefined)
      throw malformed('a part has no Content-Disposition "form-data" with a name.');
    const type = fields.get('content-type');
    const at = this.#entries.push(undefined) - 1;
    const value =
      disposition.filename === undefined
        ? await this.#field(content, type)
        : await this.#file(content, disposition, type);
    if (value !== undefined) this.#entries[at] = [disposition.name, value];
  }

  async #field(content: Readable, type = 'text/plain'): Promise<unknown> {
    if (++this.#fields > this.#limits.fields) throw limitExceeded(this.#limits, 'fields');
    assertUtf8(type);
    const received = new BodyBuffer(NOT_RESERVED, 0);
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      if (received.length + bytes.length > this.#limits.field_size)
        throw limitExceeded(this.#limits, 'field_size');
      this.#reserve(bytes.length);
      received.add(bytes);
    }
    const text = decodeUtf8(received.toBuffer());
    const media = parseMediaType(type);
    return media !== undefined && essence(media) === 'application/json' ? new JsonText(text) : text;
  }

  async #file(
    content: Readable,
    { name, filename = '' }: Disposition,
    type = 'application/octet-stream',
  ): Promise<UploadedFile | undefined> {
    // Browsers send an empty, unnamed file for a file input without a file, which counts for no limit of its own.
    if (filename === '' && (await isEmpty(content))) {
      if (++this.#inputs > this.#limits.files + this.#limits.fields)
        throw limitExceeded(this.#limits, 'files');
      return undefined;
    }
    if (++this.#files > this.#limits.files) throw limitExceeded(this.#limits, 'files');
    const stored = await this.#folder.store(content, this.#limits.file_size);
    if (stored === undefined) throw limitExceeded(this.#limits, 'file_size');
    const { size, path } = stored;
    return new UploadedFile({ name, filename: sanitizeFilename(filename), type, size }, path);
  }
}

/** Waits for the first bytes, which remain unread, or for the end, after which streams are closed. */
async function isEmpty(content: Readable): Promise<boolean> {
  if (content.readableLength === 0)
    await new Promise<void>((resolve, reject) => {
      content.once('readable', resolve).once('close', resolve).once('error', reject);
    });
  if (content.readableLength > 0) return false;
  content.resume();
  return true;
}
