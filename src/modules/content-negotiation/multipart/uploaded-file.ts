import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';

/**
 * A file that came with a form (`multipart/form-data`). It stands on disk until the request is answered; a handler
 * that keeps it reads it, or moves it away.
 *
 * @example
 * handler: async ({ body: { picture } }) => {
 *   await rename(picture.path, join(folder, randomUUID()));
 * }
 */
export class UploadedFile {
  /** The name of the form's field. */
  readonly name: string;
  /** The client's name for it: without a path, and without what is not text. Never the name on disk. */
  readonly filename: string;
  /** The media type that the client says it has; nobody has looked. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  readonly #path: string;

  constructor(
    { name, filename, type, size }: Pick<UploadedFile, 'name' | 'filename' | 'type' | 'size'>,
    path: string,
  ) {
    this.name = name;
    this.filename = filename;
    this.type = type;
    this.size = size;
    this.#path = path;
  }

  /** Where it stands; absolute. It is no member that is shown when the file is answered as JSON. */
  get path(): string {
    return this.#path;
  }

  stream(): ReadStream {
    return createReadStream(this.#path);
  }

  /** Its content, read as UTF-8. */
  text(): Promise<string> {
    return readFile(this.#path, 'utf8');
  }
}

/** What a field for a file takes. */
export interface FileFieldOptions {
  readonly description?: string;
  /** Media types that are taken, e.g. `['image/png', 'image/*']`; any, unless told. */
  readonly types?: readonly string[];
  /** Bytes that the file may have; the service's limit holds in any case. */
  readonly maxSize?: number;
}

/**
 * A field that holds a file: its handler gets an `UploadedFile`, the documentation shows
 * `{ "type": "string", "format": "binary" }`.
 *
 * @example fields: Type.Object({ title: Type.String(), picture: fileField({ types: ['image/*'] }) })
 */
export function fileField({ description, types, maxSize }: FileFieldOptions = {}) {
  return Type.Unsafe<UploadedFile>({
    type: 'string',
    format: 'binary',
    ...(description === undefined ? {} : { description }),
    ...(types?.length === 1 ? { contentMediaType: types[0] } : {}),
    'x-file': { ...(types === undefined ? {} : { types }), ...(maxSize === undefined ? {} : { maxSize }) },
  });
}
