import { Type, type Static } from '@sinclair/typebox';
import { fieldsSchema, type ConfigObject } from '../../framework';

export const STATIC_FILES_KEY = 'platform-static-files';

const folderSettings = Type.Object(
  {
    folder: Type.String({
      minLength: 1,
      description: 'The folder with the files, relative to the project root.',
    }),
    fallback: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'A file of the folder, such as "index.html", for requests of pages (Accept: text/html) without a file: single-page applications.',
      }),
    ),
    max_age: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description:
          'Seconds for which clients use a file without revalidating it; defaults to 0. HTML is always revalidated.',
      }),
    ),
    immutable: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Files whose name changes with their content, which clients keep for a year: a folder such as "assets/", or a pattern such as "*.????????.js".',
      }),
    ),
    headers: Type.Optional(
      fieldsSchema(
        'Header fields of the files, such as Content-Security-Policy, instead of those in platform-operations.security_headers.',
      ),
    ),
  },
  { additionalProperties: false, hint: 'A folder needs "folder": { "folder": "dist" }.' },
);

/** `platform-static-files`: folders, by the path at which they are served. */
export const staticFilesSettings = Type.Object(
  {
    folders: Type.Record(Type.String(), folderSettings, {
      propertyNames: {
        pattern: '^(?:/|(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+)$',
        hint: 'Write a path without a slash at its end, such as "/" or "/app".',
      },
      description: 'Folders by the path at which they are served, such as "/" or "/app".',
    }),
  },
  { additionalProperties: false, description: 'Folders of files, such as a front end.' },
);

export type FolderSettings = Static<typeof folderSettings>;

export const staticFilesDefaults: ConfigObject = { [STATIC_FILES_KEY]: { folders: {} } };

/** A front end loads from its own origin; styles may be inline, as most frameworks write them. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/** The header fields of files, unless a folder sets them itself. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Accept-Ranges': 'bytes',
};

/** The fields that depend on the file and the request, which a folder cannot set; in lower case. */
export const FILE_FIELDS: readonly string[] = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-range',
  'etag',
  'last-modified',
  'transfer-encoding',
];
