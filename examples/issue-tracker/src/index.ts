import path from 'node:path';
import { ContainerModule, defineApi, defineModule, SharedState, Type } from 'apidesc-platform';
import { OWN_ISSUE, OwnIssue } from './access.js';
import { Attachment, AttachmentContent, Attachments, DOWNLOAD } from './attachments.js';
import { Change, Changes, LISTEN, listen, PUBLISHING, publishing } from './changes.js';
import { Comment } from './comments.js';
import { CHANGE_STATUS, changeStatus, CLOSE, close, IssueV1, IssueV2, StatusV1, StatusV2 } from './issues.js';
import { Project } from './projects.js';
import { StaleIssues } from './stale-issues.js';
import { DATABASE, migrations, type Database } from './tables.js';

/** The configuration of this module: the key `issue-tracker` in config/autoload. */
const settings = Type.Object(
  {
    attachments: Type.String({ description: 'The folder of uploaded files, relative to the project root.' }),
    stale_after_days: Type.Integer({ minimum: 1, description: 'Days until an unchanged issue is closed.' }),
  },
  { additionalProperties: false },
);

const api = defineApi({
  name: 'Tracker',
  description: 'Projects, their issues, and what people say about them.',
  hooks: PUBLISHING,
  versions: {
    1: {
      deprecated: '2026-11-01',
      release_notes: 'The first version.',
      services: {
        Project,
        Issue: IssueV1,
        Status: StatusV1,
        Comment,
        Attachment,
        AttachmentContent,
        Change,
      },
    },
    2: {
      inherits: 1,
      release_notes: 'An issue has a `status` (`open`, `in_progress` or `closed`) instead of `closed`.',
      services: { Issue: IssueV2, Status: StatusV2 },
    },
  },
});

export default defineModule({
  name: 'issue-tracker',
  requires: ['hosting', 'database', 'mvc-auth'],
  defaults: {
    'issue-tracker': { attachments: 'data/attachments', stale_after_days: 90 },
    'platform-db': { adapters: { tracker: { adapter: 'SqliteAdapter', options: {} } } },
  },
  schemas: { 'issue-tracker': settings },
  migrations: { tracker: migrations },
  apis: [api],
  services: (configuration) => {
    const { attachments, stale_after_days } = configuration.section('issue-tracker', settings);
    const folder = path.resolve(configuration.root, attachments);
    return new ContainerModule(({ bind }) => {
      bind(OWN_ISSUE).toResolvedValue((database: Database) => new OwnIssue(database), [DATABASE]);
      bind(CLOSE).toResolvedValue(close, [DATABASE]);
      bind(CHANGE_STATUS).toResolvedValue(changeStatus, [DATABASE]);
      bind(Attachments).toResolvedValue(
        (database: Database) => new Attachments(database, folder),
        [DATABASE],
      );
      bind(DOWNLOAD).toResolvedValue(({ download }: Attachments) => download, [Attachments]);
      bind(Changes).toResolvedValue(
        (state: SharedState) => state.getOrCreate(Changes, () => new Changes()),
        [SharedState],
      );
      bind(PUBLISHING).toResolvedValue(publishing, [Changes]);
      bind(LISTEN).toResolvedValue(listen, [Changes]);
      bind(StaleIssues).toResolvedValue(
        (database: Database) => new StaleIssues(database, stale_after_days),
        [DATABASE],
      );
    });
  },
  tasks: [
    {
      name: 'close-stale-issues',
      every: '1d',
      immediately: true,
      run: async ({ services, log }) => {
        const closed = await (await services.get(StaleIssues)).close();
        const removed = await (await services.get(Attachments)).removeOrphans();
        log.info({ closed, removed }, 'Stale issues closed, files of removed issues deleted.');
      },
    },
  ],
});
