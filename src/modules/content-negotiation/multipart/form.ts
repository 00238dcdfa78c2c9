import type { Readable } from 'node:stream';
import { essence, parseMediaType, type MvcEvent } from '../../../framework';
import { assertUtf8, decodeUtf8, toFormValue, parseJson } from '../parse-body';
import { parseDisposition, sanitizeFilename, type Disposition } from './disposition';
import type { Uploads } from '../policy';
import { limitExceeded } from './limits';
import { readParts, malformed, type Part } from './parts';
import { RequestFolder } from './request-folder';
import { UploadedFile } from './uploaded-file';

/** RFC 2046, 5.1.1. */
const BOUNDARY = /^[^\r\n]{1,70}$/;

/**
 * Reads a form with files (RFC 7578). A name that comes more than once holds a list; a field of the type
 * `application/json` holds what its text says; a file is an `UploadedFile`, which is gone when the request is over.
 *
 * @throws Problem 400, 413 naming the limit, 415 for text in another charset, 507 where a file cannot be kept
 */
export async function readForm(event: MvcEvent, contentType: string, uploads: Uploads): Promise<unknown> {
  assertUtf8(contentType);
  const boundary = parseMediaType(contentType)?.parameters.get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) {
    throw malformed('its Content-Type names no boundary of 1 to 70 characters.');
  }
  const kept = new RequestFolder(event, uploads.folder);
  const form = new Form(uploads, kept, (bytes) => event.request.reserve(bytes));
  try {
    await readParts(event.request.chunks(uploads.limits.total), boundary, (part) => form.take(part));
    return toFormValue(form.entries);
  } catch (error) {
    // At once, and not when the client has taken the answer.
    await kept.remove();
    throw error;
  }
}

/** The fields of a form, as they come. */
class Form {
  readonly #limits: Uploads['limits'];
  readonly #depth: number;
  readonly #reserve: (bytes: number) => void;
  readonly #folder: RequestFolder;
  /** In the order in which they began; undefined for a file that was not chosen. */
  readonly #taken: (readonly [name: string, value: unknown] | undefined)[] = [];
  #files = 0;
  #fields = 0;

  /** @param reserve counts what is kept in memory */
  constructor({ limits, depth }: Uploads, folder: RequestFolder, reserve: (bytes: number) => void) {
    this.#reserve = reserve;
    this.#limits = limits;
    this.#depth = depth;
    this.#folder = folder;
  }

  get entries(): readonly (readonly [name: string, value: unknown])[] {
    return this.#taken.filter((entry) => entry !== undefined);
  }

  async take({ fields, content }: Part): Promise<void> {
    const disposition = parseDisposition(fields.get('content-disposition') ?? '');
    if (disposition === undefined) throw malformed('a part is no field with a name.');
    const type = fields.get('content-type');
    const at = this.#taken.push(undefined) - 1;
    const value =
      disposition.filename === undefined
        ? await this.#field(content, type)
        : await this.#file(content, disposition, type);
    if (value !== undefined) this.#taken[at] = [disposition.name, value];
  }

  async #field(content: Readable, type = 'text/plain'): Promise<unknown> {
    if (++this.#fields > this.#limits.fields) throw limitExceeded(this.#limits, 'fields');
    assertUtf8(type);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      size += bytes.length;
      if (size > this.#limits.field_size) throw limitExceeded(this.#limits, 'field_size');
      this.#reserve(bytes.length);
      parts.push(bytes);
    }
    const text = decodeUtf8(Buffer.concat(parts));
    const media = parseMediaType(type);
    return media !== undefined && essence(media) === 'application/json' ? parseJson(text, this.#depth) : text;
  }

  async #file(
    content: Readable,
    { name, filename = '' }: Disposition,
    type = 'application/octet-stream',
  ): Promise<UploadedFile | undefined> {
    if (++this.#files > this.#limits.files) throw limitExceeded(this.#limits, 'files');
    const kept = await this.#folder.keep(content, this.#limits.file_size);
    if (kept === undefined) throw limitExceeded(this.#limits, 'file_size');
    // Browsers send an empty file without a name where none was chosen.
    if (filename === '' && kept.size === 0) return undefined;
    const { size, path } = kept;
    return new UploadedFile({ name, filename: sanitizeFilename(filename), type, size }, path);
  }
}
