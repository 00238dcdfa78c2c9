import type { Generated, Kysely } from 'apidesc-platform';

/** The tables as statements see them. The services declare which columns clients see. */
export interface Tables {
  projects: { key: string; name: string; description: string };
  issues: {
    id: Generated<number>;
    project_key: string;
    title: string;
    description: string;
    priority: Priority;
    status: Generated<Status>;
    reporter: string;
    created_at: Generated<string>;
    updated_at: Generated<string>;
  };
  comments: {
    id: Generated<number>;
    issue_id: number;
    author: string;
    text: string;
    created_at: Generated<string>;
  };
  attachments: {
    id: string;
    issue_id: number;
    filename: string;
    size: number;
    uploaded_by: string;
  };
}

export const PRIORITIES = ['low', 'normal', 'high'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const STATUSES = ['open', 'in_progress', 'closed'] as const;
export type Status = (typeof STATUSES)[number];

export type Database = Kysely<Tables>;

/** The container name of the database, from the name of its adapter. */
export const DATABASE = 'database:tracker';

const oneOf = (column: string, values: readonly string[]): string =>
  `CHECK (${column} IN (${values.map((value) => `'${value}'`).join(', ')}))`;

/** The databases differ in the columns whose values they assign. */
const tables = (id: string): string => `
  CREATE TABLE projects (
    key VARCHAR(20) PRIMARY KEY,
    name VARCHAR(100) NOT NULL UNIQUE,
    description VARCHAR(2000) NOT NULL DEFAULT ''
  );
  CREATE TABLE issues (
    id ${id},
    project_key VARCHAR(20) NOT NULL REFERENCES projects (key),
    title VARCHAR(200) NOT NULL,
    description VARCHAR(10000) NOT NULL DEFAULT '',
    priority VARCHAR(10) NOT NULL DEFAULT 'normal' ${oneOf('priority', PRIORITIES)},
    status VARCHAR(20) NOT NULL DEFAULT 'open' ${oneOf('status', STATUSES)},
    closed BOOLEAN GENERATED ALWAYS AS (status = 'closed') STORED,
    reporter VARCHAR(100) NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
  );
  CREATE INDEX issues_by_project ON issues (project_key, updated_at, id);
  CREATE INDEX issues_by_reporter ON issues (reporter, updated_at, id);
  CREATE INDEX issues_by_status ON issues (status, updated_at, id);
  CREATE INDEX issues_by_closed ON issues (closed, updated_at, id);
  CREATE INDEX issues_by_time ON issues (updated_at, id);
  CREATE TABLE comments (
    id ${id},
    issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    author VARCHAR(100) NOT NULL,
    text VARCHAR(10000) NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
  );
  CREATE INDEX comments_by_issue ON comments (issue_id, id);
  CREATE TABLE attachments (
    id VARCHAR(36) PRIMARY KEY,
    issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    filename VARCHAR(255) NOT NULL,
    size INTEGER NOT NULL,
    uploaded_by VARCHAR(100) NOT NULL
  );
  CREATE INDEX attachments_by_issue ON attachments (issue_id, id);`;

/** Each is applied once, when the service starts. Never change one that was applied: add another. */
export const migrations = {
  sqlite: [{ name: '1_tables', sql: tables('INTEGER PRIMARY KEY') }],
  postgres: [{ name: '1_tables', sql: tables('INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY') }],
};
