import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import { AUDIT_ACTIONS } from '../audit/audit-entry';
import type { AdminServices } from '../services';

const PATH = '/audit';
const PAGE_SIZE = 50;

/** The page of the audit log: newest first, filtered by administrator and action. */
export function auditScreen({ audit }: AdminServices): readonly AdminPage[] {
  return [{ name: 'audit', pattern: PATH, GET: (context) => show(context) }];

  async function show(context: PageContext): Promise<PageResult> {
    const administrator = context.query.get('administrator')?.trim() ?? '';
    const action = context.query.get('action') ?? '';
    const { entries, next } = await audit.read({
      before: offsetOf(context.query.get('before')),
      limit: PAGE_SIZE,
      administrator: administrator === '' ? undefined : administrator,
      action: action === '' ? undefined : action,
    });
    const link = new URLSearchParams({ administrator, action, before: String(next ?? '') });
    return context.show('audit', {
      isEnabled: audit.isEnabled,
      entries,
      administrator,
      action,
      actions: AUDIT_ACTIONS,
      isFiltered: administrator !== '' || action !== '',
      isLater: context.query.has('before'),
      older: next === undefined ? undefined : `?${link.toString()}`,
    });
  }
}

function offsetOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
