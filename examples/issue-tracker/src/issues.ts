import { defineRpcService, defineTableService, enumOf, Problem, sql, Type } from 'apidesc-platform';
import type { HandlerContext, HookContext, Static } from 'apidesc-platform';
import { DEVELOPERS, MAINTAINERS, MEMBERS, nameOf, OWN_ISSUE } from './access.js';
import { PRIORITIES, STATUSES, type Database, type Status } from './tables.js';

/** What both versions have in common. */
const common = {
  description: 'Bugs and feature requests.',
  adapter_name: 'tracker',
  table_name: 'issues',
  route: '/issues[/:issue_id]',
  route_identifier_name: 'issue_id',
  entity_identifier_name: 'id',
  collection_name: 'issues',
  max_items: 1,
  page_size: 25,
  hooks: {
    beforeCreate: (values: object, { identity }: HookContext) => ({ ...values, reporter: nameOf(identity) }),
    beforeUpdate: (_: unknown, values: object) => ({ ...values, updated_at: new Date().toISOString() }),
  },
  collection: {
    GET: { description: 'Lists issues.', sort: ['updated_at', 'id'] },
    POST: { description: 'Reports an issue.', authorization: MEMBERS },
  },
  entity: {
    GET: { description: 'Returns an issue.' },
    PATCH: { description: 'Changes an issue.', authorization: { policy: OWN_ISSUE } },
    DELETE: {
      description: 'Removes an issue with its comments and attachments.',
      authorization: MAINTAINERS,
    },
  },
} as const;

const columns = {
  id: { description: 'Assigned by the server.' },
  project_key: {
    description: 'The key of the project.',
    embed: { name: 'project', columns: ['key', 'name'] },
  },
  title: { schema: Type.String({ minLength: 1, maxLength: 200, examples: ['Broken link'] }) },
  description: { schema: Type.String({ maxLength: 10_000, default: '' }), description: 'CommonMark.' },
  priority: { schema: enumOf(PRIORITIES, { default: 'normal' }) },
  reporter: { read_only: true, description: 'The user who reported the issue.' },
  created_at: { read_only: true },
  updated_at: { read_only: true },
};

const filters = { project_key: ['eq'], reporter: ['eq'] } as const;

const SET_BY = 'Set by `POST /issues/:issue_id/status`.';

/** Version 1 knows only whether an issue is closed. */
export const IssueV1 = defineTableService({
  ...common,
  columns: { ...columns, closed: { read_only: true, description: SET_BY } },
  filters: { ...filters, closed: ['eq'] },
});

export const IssueV2 = defineTableService({
  ...common,
  columns: { ...columns, status: { read_only: true, schema: enumOf(STATUSES), description: SET_BY } },
  filters: { ...filters, status: ['eq', 'in'] },
});

/** The container names of handlers, which need the database. */
export const CLOSE = 'tracker.close';
export const CHANGE_STATUS = 'tracker.change-status';

const statusService = {
  route: '/issues/:issue_id/status',
  parameters: { issue_id: Type.Integer() },
  authorization: DEVELOPERS,
} as const;

const closing = Type.Object({ closed: Type.Boolean() });

export const StatusV1 = defineRpcService({
  ...statusService,
  description: 'Whether an issue is closed.',
  methods: {
    POST: { description: 'Closes or reopens an issue.', fields: closing, response: closing, handler: CLOSE },
  },
});

const progress = Type.Object({ status: enumOf(STATUSES) });

export const StatusV2 = defineRpcService({
  ...statusService,
  description: 'The progress of an issue.',
  methods: {
    POST: {
      description: 'Sets the status of an issue.',
      fields: progress,
      response: progress,
      handler: CHANGE_STATUS,
    },
  },
});

interface OfIssue {
  readonly issue_id: string;
}

export const close =
  (database: Database) =>
  async ({ body, parameters }: HandlerContext<unknown, Static<typeof closing>, OfIssue>) => {
    await setStatus(database, parameters.issue_id, body.closed ? 'closed' : 'open');
    return body;
  };

export const changeStatus =
  (database: Database) =>
  async ({ body, parameters }: HandlerContext<unknown, Static<typeof progress>, OfIssue>) => {
    await setStatus(database, parameters.issue_id, body.status);
    return body;
  };

/** @throws Problem 404 for an issue that does not exist */
async function setStatus(database: Database, id: string, status: Status): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable('issues')
    .set({ status, updated_at: sql`CURRENT_TIMESTAMP` })
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Problem(404, `Issue "${id}" does not exist.`);
}
