import path from 'node:path';
import type { Configuration } from '../../../framework';
import { ADMIN_KEY, adminSettings } from '../settings';
import { auditLine } from './audit-entry';
import { AuditFile } from './audit-file';
import { repairLine } from './audit-log';

/**
 * Records in the audit log of a project that a backup was restored, without its application: it may not build.
 * @param name the user of the operating system
 * @throws FileError if the entry cannot be written
 */
export async function recordRestore(
  configuration: Configuration,
  name: string,
  target: string,
): Promise<void> {
  if (!configuration.schemas.has(ADMIN_KEY)) return;
  const { audit, enabled } = configuration.section(ADMIN_KEY, adminSettings);
  if (!enabled || !audit.enabled) return;
  const file = new AuditFile(path.resolve(configuration.root, audit.file), repairLine);
  const actor = { name, via: 'command' } as const;
  await file.append(auditLine({ action: 'restore', actor, outcome: 'success', target }, new Date()));
  await file.close();
}
