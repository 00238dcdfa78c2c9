import { createHash } from 'node:crypto';
import { problem, readFileIfExists, withFileErrors, type SharedConfiguration } from '../../../framework';
import { changePasswordFile, readPasswordTable, type EditedFile } from '../../mvc-auth';
import type { AuditedAction, AuditLog } from '../audit/audit-log';
import type { Actor } from './change';
import { toChangeProblem } from './change-problem';
import { MASK, type DifferenceLine } from './comparison/difference';

/** A prepared change of a password file; it has no effect until it is applied. It holds hashes, never a password. */
export interface FileChange {
  /** The file, as displayed. */
  readonly file: string;
  /** The hash that a change of an administrator's password stores. */
  readonly credentials?: string;
  /** Returns the effects on the file as it is now. @throws the errors of {@link apply} */
  review(): Promise<FileReview>;
  /**
   * @param expect the tag of the confirmed review
   * @param requestId the id of the request that confirms the change, for the audit log
   * @throws Problem 412 if what was reviewed has changed since
   */
  apply(expect?: string, requestId?: string): Promise<void>;
}

/** Returns the change with an entry in the audit log when it is applied. */
export function auditedChange(audit: AuditLog, action: AuditedAction, change: FileChange): FileChange {
  const { actor } = action;
  return {
    ...change,
    apply: (expect, requestId = actor.requestId) =>
      audit.run({ ...action, actor: { ...actor, requestId } }, () => change.apply(expect)),
  };
}

/** Returns several changes of files as one, applied in their order. @param main what names the file */
export function inOrder(main: FileChange, changes: readonly FileChange[]): FileChange {
  return {
    file: main.file,
    review: async () => {
      const reviews: FileReview[] = [];
      for (const change of changes) reviews.push(await change.review());
      return joined(reviews);
    },
    apply: async (expect, requestId) => {
      const tags = expect?.split(' ');
      for (const [at, change] of changes.entries()) await change.apply(tags?.[at], requestId);
    },
  };
}

/** The review of several changes. */
export function joined(reviews: readonly FileReview[]): FileReview {
  return {
    difference: reviews.flatMap(({ difference }) => difference),
    warnings: reviews.flatMap(({ warnings }) => warnings),
    tag: reviews.map(({ tag }) => tag).join(' '),
  };
}

/** The effects of a change before it is applied. */
export interface FileReview {
  /** Hashes are masked. */
  readonly difference: readonly DifferenceLine[];
  readonly warnings: readonly string[];
  /** The tag of the entries that the change replaces. */
  readonly tag: string;
}

/** Edits the entries of a user. */
export interface UserEdit {
  /** The user, as displayed in the difference. */
  readonly label: string;
  /** Returns the edited content. @throws an error if the content does not permit the edit */
  readonly edit: (bytes: Buffer) => EditedFile;
  /** Returns the stored secrets of the user by the name of their kind. */
  readonly secrets: (bytes: Buffer) => ReadonlyMap<string, string>;
  readonly warning?: (bytes: Buffer, edited: EditedFile) => string | undefined;
}

const NOTHING = Buffer.alloc(0);

/** Returns the effects of an edit on a file; a missing one is empty. @param file absolute */
export async function reviewUserEdit(file: string, user: UserEdit): Promise<FileReview> {
  const bytes = (await withFileErrors(file, () => readFileIfExists(file))) ?? NOTHING;
  const edited = user.edit(bytes);
  const warning = user.warning?.(bytes, edited);
  const before = user.secrets(bytes);
  return {
    difference: maskedDifference(user.label, before, user.secrets(edited.bytes)),
    warnings: warning === undefined ? [] : [warning],
    tag: tagOfSecrets(before),
  };
}

/** Who changes a file, and where else it goes before it is written. */
export interface FileAuthor {
  readonly actor?: Actor | undefined;
  readonly summary: string;
  /** Undefined if no other node has the file. */
  readonly publisher: Pick<SharedConfiguration, 'publish'> | undefined;
}

/**
 * Edits a file under its lock.
 * @param file absolute
 * @param first called before the file is written, if it permits the edit: nothing else edits it meanwhile
 */
export async function applyUserEdit(
  file: string,
  user: UserEdit,
  author: FileAuthor,
  expect?: string,
  first?: () => Promise<void> | undefined,
): Promise<void> {
  const publish = publication(file, author);
  await changePasswordFile(
    file,
    (bytes = NOTHING) => {
      const edited = user.edit(bytes);
      if (expect !== undefined && tagOfSecrets(user.secrets(bytes)) !== expect)
        throw problem('changed_meanwhile', { what: user.label });
      return edited.bytes;
    },
    async (before, after) => {
      await first?.();
      await publish?.(before, after);
    },
  );
}

/** Returns what gives a file to all nodes; it throws Problems. @param file absolute */
export function publication(
  file: string,
  { actor, summary, publisher }: FileAuthor,
): ((before: Buffer | undefined, after: Buffer) => Promise<void>) | undefined {
  if (publisher === undefined) return undefined;
  return async (before, after) => {
    const author = {
      summary,
      by: actor?.name ?? 'unknown',
      ...(actor === undefined ? {} : { via: actor.via }),
    };
    await publisher.publish({ file, before, after }, author).catch((error: unknown) => {
      throw toChangeProblem(error);
    });
  };
}

/** Returns the secret of a user of a Basic file, also one that only opted-in adapters accept. */
export function basicSecrets(bytes: Buffer, user: string): ReadonlyMap<string, string> {
  const stored = readPasswordTable(bytes.toString('utf8'), ['des', 'plain']).users.get(user)?.stored;
  return new Map(stored === undefined ? [] : [['password', stored]]);
}

/** One entry per kind of secret; that a secret is replaced shows, the secrets do not. */
function maskedDifference(
  path: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly DifferenceLine[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((kind) => {
    const [old, now] = [before.get(kind), after.get(kind)];
    if (old === now) return [];
    return [
      {
        path,
        ...(old === undefined ? {} : { before: `${kind} ${MASK}` }),
        ...(now === undefined ? {} : { after: `${kind} ${MASK}${old === undefined ? '' : ' (new)'}` }),
      },
    ];
  });
}

function tagOfSecrets(secrets: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...secrets]))
    .digest('hex');
}
