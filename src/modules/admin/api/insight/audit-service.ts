import { Type } from '@sinclair/typebox';
import type { ServiceDefinition } from '../../../hosting';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '../../audit/audit-entry';
import type { AdminServices } from '../../services';
import { viewService } from './view-service';

const DEFAULT_LIMIT = 50;

const entry = Type.Object({
  time: Type.String({ format: 'date-time' }),
  action: Type.String({ description: `One of ${AUDIT_ACTIONS.join(', ')}.` }),
  outcome: Type.String({ description: `One of ${AUDIT_OUTCOMES.join(', ')}.` }),
  administrator: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Null for an unknown name.' }),
  ),
  via: Type.Optional(Type.String({ description: 'page, api, command, signal or service.' })),
  address: Type.Optional(Type.String({ description: 'The network address of the client.' })),
  request_id: Type.Optional(Type.String()),
  target: Type.Optional(Type.String({ description: 'A key path, a file or an administrator.' })),
  summary: Type.Optional(Type.String()),
  revision_before: Type.Optional(Type.Integer()),
  revision_after: Type.Optional(Type.Integer()),
  paths: Type.Optional(Type.Array(Type.String(), { description: 'The key paths that changed.' })),
  code: Type.Optional(Type.String({ description: 'The error code of a failure.' })),
});

/** Defines the procedure that lists the audit log. */
export function auditService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'The audit log: sign-ins, and changes by administrators.',
    route: '/audit',
    shows: 'Lists entries, newest first. Rotated files are not listed.',
    query: Type.Object({
      administrator: Type.Optional(Type.String({ description: 'Entries of this administrator only.' })),
      action: Type.Optional(Type.Union(AUDIT_ACTIONS.map((action) => Type.Literal(action)))),
      before: Type.Optional(
        Type.Integer({ minimum: 0, description: 'The `next` of the previous response.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          default: DEFAULT_LIMIT,
          description: 'How many to list at most.',
        }),
      ),
    }),
    response: Type.Object({
      entries: Type.Array(entry),
      next: Type.Optional(
        Type.Integer({
          description: 'The `before` of the next page, which may be empty with a filter; absent on the last.',
        }),
      ),
    }),
    get: async ({ audit }, { limit = DEFAULT_LIMIT, ...filter }) => {
      const { entries, next } = await audit.read({ ...filter, limit });
      return { entries, ...(next === undefined ? {} : { next }) };
    },
  });
}
