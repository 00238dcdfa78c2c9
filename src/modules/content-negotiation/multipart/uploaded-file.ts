import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../../../framework';

/**
 * A file of a form (`multipart/form-data`). It exists on disk until the request ends; a handler that keeps it reads
 * it or copies it. `rename` fails if the target is in another file system (`EXDEV`).
 *
 * @example
 * handler: async ({ body: { picture } }) => {
 *   await copyFile(picture.path, join(folder, randomUUID()));
 * }
 */
export class UploadedFile {
  /** The name of the form field. */
  readonly name: string;
  /** The sanitized file name of the client. Not the name on disk. */
  readonly filename: string;
  /** The media type that the client declares; not verified. */
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

  /** The absolute path on disk. An accessor, so that it is not serialized to JSON. */
  get path(): string {
    return this.#path;
  }

  stream(): ReadStream {
    return createReadStream(this.#path);
  }

  /** Reads the content as UTF-8. */
  text(): Promise<string> {
    return readFile(this.#path, 'utf8');
  }
}

/** The options of `fileField`. */
export interface FileFieldOptions {
  readonly description?: string;
  /** Accepted media types, for example `['image/png', 'image/*']`; defaults to any. */
  readonly types?: readonly string[];
  /** In bytes; the limit of the service applies as well. */
  readonly maxSize?: number;
}

/**
 * A field for a file. The handler receives an `UploadedFile`; the documentation shows
 * `{ "type": "string", "format": "binary" }`.
 *
 * @example fields: Type.Object({ title: Type.String(), picture: fileField({ types: ['image/*'] }) })
 */
export function fileField({ description, types, maxSize }: FileFieldOptions = {}) {
  const [single = '*', ...others] = types ?? [];
  return Type.Unsafe<UploadedFile>({
    type: 'string',
    format: 'binary',
    ...(description === undefined ? {} : { description }),
    // JSON Schema allows no range.
    ...(others.length > 0 || single.includes('*') ? {} : { contentMediaType: single }),
    'x-file': { ...(types === undefined ? {} : { types }), ...(maxSize === undefined ? {} : { maxSize }) },
  });
}

/** Whether a field is a file or a list of files. @param resolve resolves references */
export function isFileField(field: JsonObject, resolve: (schema: unknown) => JsonObject): boolean {
  // One level only: the items of a list may refer to the list.
  const one = field.type === 'array' ? resolve(field.items) : field;
  return 'x-file' in one || (one.type === 'string' && one.format === 'binary');
}
