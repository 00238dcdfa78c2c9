import { Type, type Static } from '@sinclair/typebox';
import Ajv2020 from 'ajv/dist/2020';
import path from 'node:path';
import { lazily, errorMessage } from '../../framework';
import { UsageError } from '../usage-error';

/** The name of the manifest, which is the first entry of an archive. */
export const MANIFEST_FILE = 'backup.json';

/** The folders of a project that a backup contains. */
export const BACKUP_FOLDERS = ['config', 'data'] as const;

/** Changed when an older version cannot restore a backup any more. */
export const BACKUP_FORMAT = 1;

const mode = Type.Integer({ minimum: 0, maximum: 0o777 });

/** `backup.json`: what a backup contains, so that anything else in it is refused. */
const manifestSchema = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** RFC 3339. */
  created: Type.String({ minLength: 1 }),
  /** The version of the platform, and of Node.js. */
  version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+' }),
  node: Type.String(),
  folders: Type.Array(Type.Object({ path: Type.String(), mode })),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      mode,
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  /** Databases that the backup does not contain, with the command that saves them. */
  not_included: Type.Array(Type.Object({ database: Type.String(), command: Type.String() })),
});

export type BackupManifest = Static<typeof manifestSchema>;

/**
 * Parses a manifest.
 * @param version of this platform
 * @throws UsageError for anything that cannot be restored: a path outside the folders, a later version, ...
 */
export function parseManifest(text: string, version: string): BackupManifest {
  const manifest = parse(text);
  if (manifest.format !== BACKUP_FORMAT)
    throw new UsageError(
      `The backup has format ${manifest.format}, made by version ${manifest.version}; this version reads format ${BACKUP_FORMAT}. Restore it with that version.`,
    );
  if (isLater(manifest.version, version)) {
    throw new UsageError(
      `The backup was made by version ${manifest.version}; this is version ${version}. Install that version or a later one.`,
    );
  }
  const seen = new Set<string>();
  for (const { path: name } of [...manifest.folders, ...manifest.files]) {
    if (!isBackupPath(name)) throw invalid(`it names the path ${JSON.stringify(name)}`);
    if (seen.has(name)) throw invalid(`it names ${JSON.stringify(name)} twice`);
    seen.add(name);
  }
  const files = new Set(manifest.files.map((file) => file.path));
  for (const name of seen) {
    const parent = path.posix.dirname(name);
    if (files.has(parent)) throw invalid(`${JSON.stringify(parent)} is both a file and a folder`);
  }
  return manifest;
}

function parse(text: string): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(errorMessage(error));
  }
  const validate = validator();
  if (validate(value)) return value;
  const [first] = validate.errors ?? [];
  throw invalid(`${first?.instancePath ?? ''} ${first?.message ?? 'is invalid'}`.trim());
}

const validator = lazily(() => new Ajv2020().compile<BackupManifest>(manifestSchema));

/** Whether a path is `config`, `data`, or below, in its normal form. */
export function isBackupPath(name: string): boolean {
  const segments = name.split('/');
  const isPlain = !/[\\\p{Cc}]/u.test(name);
  return (
    isPlain &&
    BACKUP_FOLDERS.some((folder) => folder === segments[0]) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}

function isLater(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split(/[.-]/, 3).map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function invalid(reason: string): UsageError {
  return new UsageError(`The manifest ${MANIFEST_FILE} is invalid: ${reason}.`);
}
