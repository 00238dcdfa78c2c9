import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  DatabaseError,
  defineRestService,
  defineRpcService,
  fileField,
  Problem,
  Response,
  Type,
} from 'apidesc-platform';
import type { HandlerContext, ResourceContext, ResourceOf, Static, UploadedFile } from 'apidesc-platform';
import { MEMBERS, nameOf, OWN_ISSUE } from './access.js';
import type { Database } from './tables.js';

const fields = Type.Object({
  id: Type.String({ examples: ['5f0c3a52-7d7a-4f86-8e4c-6f5a3f7f9a10'] }),
  filename: Type.String({ examples: ['screenshot.png'] }),
  size: Type.Integer({ description: 'In bytes.' }),
  uploaded_by: Type.String(),
});
type Entity = Static<typeof fields>;

type OfIssue = ResourceContext<{ readonly issue_id: string }>;

/** Uploads that are younger may not have their row yet. */
const ORPHAN_AGE_MS = 3_600_000;

/** The rows are in the database, and each file is in the folder, under the key of its row. */
export class Attachments implements ResourceOf<typeof Attachment> {
  readonly #database: Database;
  readonly #folder: string;

  constructor(database: Database, folder: string) {
    this.#database = database;
    this.#folder = folder;
  }

  /** Called before the first request. */
  async onStart(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
  }

  fetchAll({ parameters: { issue_id } }: OfIssue): Promise<Entity[]> {
    return this.#select(issue_id).orderBy('id').execute();
  }

  fetch(id: string, { parameters: { issue_id } }: OfIssue): Promise<Entity | undefined> {
    return this.#select(issue_id).where('id', '=', id).executeTakeFirst();
  }

  async create({ file }: { file: UploadedFile }, { identity, parameters }: OfIssue): Promise<Entity> {
    const { filename, size } = file;
    const entity = { id: randomUUID(), filename, size, uploaded_by: nameOf(identity) };
    // The upload is deleted at the end of the request. It may be in another file system: rename() could fail.
    await copyFile(file.path, this.#fileOf(entity.id));
    try {
      const row = { ...entity, issue_id: Number(parameters.issue_id) };
      await this.#database.insertInto('attachments').values(row).execute();
    } catch (error) {
      await rm(this.#fileOf(entity.id));
      if (error instanceof DatabaseError && error.kind === 'foreign_key')
        throw new Problem(404, `Issue "${parameters.issue_id}" does not exist.`);
      throw error;
    }
    return entity;
  }

  async delete(id: string, { parameters: { issue_id } }: OfIssue): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('attachments')
      .where('issue_id', '=', Number(issue_id))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return false;
    await rm(this.#fileOf(id), { force: true });
    return true;
  }

  /** The handler of `AttachmentContent`. Always a download: a browser must not run what a user has uploaded. */
  readonly download = async ({
    parameters: { issue_id, attachment_id },
  }: HandlerContext<unknown, unknown, { readonly issue_id: string; readonly attachment_id: string }>) => {
    const found = await this.#select(issue_id).where('id', '=', attachment_id).executeTakeFirst();
    if (found === undefined) throw new Problem(404, `Attachment "${attachment_id}" does not exist.`);
    const file = await open(this.#fileOf(found.id));
    return new Response(200, file.createReadStream(), [
      ['Content-Type', 'application/octet-stream'],
      ['Content-Length', String(found.size)],
      ['Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(found.filename)}`],
    ]);
  };

  /** Removes the files of attachments that were removed with their issue. @returns their number */
  async removeOrphans(now = Date.now()): Promise<number> {
    let removed = 0;
    for (const id of await readdir(this.#folder)) {
      const { mtimeMs } = await stat(this.#fileOf(id));
      if (now - mtimeMs < ORPHAN_AGE_MS) continue;
      const row = await this.#database
        .selectFrom('attachments')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (row !== undefined) continue;
      await rm(this.#fileOf(id), { force: true });
      removed++;
    }
    return removed;
  }

  #select(issueId: string) {
    return this.#database
      .selectFrom('attachments')
      .select(['id', 'filename', 'size', 'uploaded_by'])
      .where('issue_id', '=', Number(issueId));
  }

  /** @param id of a row, never of a request: it is part of a path */
  #fileOf(id: string): string {
    return path.join(this.#folder, id);
  }
}

const parameters = { issue_id: Type.Integer() };

export const Attachment = defineRestService({
  description: 'The files attached to an issue.',
  route: '/issues/:issue_id/attachments[/:attachment_id]',
  route_identifier_name: 'attachment_id',
  entity_identifier_name: 'id',
  parameters,
  content_type: ['multipart/form-data'],
  fields,
  input: Type.Object({ file: fileField({ maxSize: 5_000_000, description: 'At most 5 MB.' }) }),
  collection_name: 'attachments',
  collection: {
    GET: { description: 'Lists attachments.' },
    POST: { description: 'Uploads a file.', authorization: MEMBERS },
  },
  entity: {
    GET: { description: 'Describes an attachment.' },
    DELETE: { description: 'Removes an attachment.', authorization: { policy: OWN_ISSUE } },
  },
  resource: Attachments,
});

/** The container name of `Attachments.download`. */
export const DOWNLOAD = 'tracker.download';

export const AttachmentContent = defineRpcService({
  description: 'The content of an attachment.',
  route: '/issues/:issue_id/attachments/:attachment_id/content',
  parameters,
  methods: {
    GET: {
      description: 'Downloads the file.',
      response_type: ['application/octet-stream'],
      handler: DOWNLOAD,
    },
  },
});
