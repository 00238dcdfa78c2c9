import { Type, type Static } from '@sinclair/typebox';
import { problem, type Revision } from '../../../framework';
import {
  defineProcedure,
  defineRestService,
  defineRpcService,
  type ProcedureDefinition,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import type { Change, Restoration } from '../changes/change';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { actorOf, CHANGE_STATUSES, CREATION_STATUSES } from './resources/api-context';

const number = Type.Integer({ minimum: 1, description: 'Counted from 1.', examples: [12] });
const fields = Type.Object({
  revision: number,
  at: Type.String({ format: 'date-time' }),
  by: Type.String({ description: 'The author.' }),
  summary: Type.String(),
  difference: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The key path.' }),
      before: Type.Optional(Type.String({ description: 'As JSON; absent for an added value.' })),
      after: Type.Optional(Type.String({ description: 'As JSON; absent for a removed value.' })),
    }),
    { description: 'What changed in config/autoload/local.json. Secrets are masked.' },
  ),
});

type RevisionEntity = Static<typeof fields>;

/** Defines the REST service of the revisions. */
export function revisionService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The revisions of the configuration: who changed what, and when. The last 50 are kept.',
    route: '/revisions[/:revision]',
    route_identifier_name: 'revision',
    parameters: { revision: number },
    fields,
    page_size: 50,
    collection: { GET: { description: 'Lists the revisions, newest first.' } },
    entity: { GET: { description: 'Shows a revision with its difference.' } },
    resource: new RevisionResource(admin),
  });
}

class RevisionResource extends AdminResource implements RestResource<RevisionEntity> {
  async fetchAll(): Promise<readonly RevisionEntity[]> {
    const entities: RevisionEntity[] = [];
    for (const { number } of (await this.admin.changes.history()).revisions) {
      const revision = await this.admin.changes.findRevision(number);
      if (revision !== undefined) entities.push(await this.#toEntity(revision));
    }
    return entities;
  }

  async fetch(id: string): Promise<RevisionEntity | undefined> {
    return /^[1-9]\d{0,8}$/.test(id)
      ? this.#toEntity(await this.admin.changes.revision(Number(id)))
      : undefined;
  }

  async #toEntity({ number: revision, at, by, summary, before, after }: Revision): Promise<RevisionEntity> {
    const difference = await this.admin.changes.texts.difference(before, after);
    return { revision, at, by, summary, difference: [...difference] };
  }
}

const outcome = Type.Object({
  revision: Type.Integer({
    minimum: 0,
    description: 'The new revision; 0 if nothing changed.',
  }),
  warnings: Type.Array(Type.String()),
  restart: Type.Array(Type.String(), { description: 'Changed keys that require a restart.' }),
});

const REVERT = Type.Object({ revision: number }, { additionalProperties: false });

/** Unlike undoing, restoring discards the changes of others, too. */
const RESTORE = Type.Object(
  {
    revision: number,
    newest: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The newest revision as you know it: 412 if the configuration has changed since.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Defines the procedure that restores a revision. */
export function restoreService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Restores the configuration to its state after a revision.',
    route: '/restore',
    methods: {
      POST: revertProcedure(
        'Restores a revision. This creates a revision, which can be undone.',
        admin,
        (revision) => admin().revisions.prepareRestore(revision),
        RESTORE,
      ),
    },
  });
}

/** Defines the procedure that undoes a revision. */
export function undoService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Undoes a revision.',
    route: '/undo',
    methods: {
      POST: revertProcedure(
        'Undoes a revision and keeps later changes. Responds with 409 if its values have changed since.',
        admin,
        (revision) => admin().revisions.prepareUndo(revision),
      ),
    },
  });
}

function revertProcedure(
  description: string,
  admin: () => AdminServices,
  prepare: (revision: number) => Promise<Change | Restoration>,
  fields: typeof REVERT | typeof RESTORE = REVERT,
): ProcedureDefinition {
  return defineProcedure({
    description,
    fields,
    response: outcome,
    status_codes: [
      { code: 404, message: 'Not Found' },
      ...(fields === RESTORE ? CHANGE_STATUSES : CREATION_STATUSES),
    ],
    handler: async (context) => {
      const { newest, revision: wanted }: Static<typeof RESTORE> = context.body;
      const expect = newest === undefined ? undefined : await admin().revisions.tagAfter(newest);
      const { revision, warnings, restart } = await admin().changes.apply(
        await prepare(wanted),
        actorOf(context),
        { expect },
      );
      return { revision: revision.number, warnings: [...warnings], restart: [...restart] };
    },
  });
}

/** Defines the procedure that reloads the configuration files. */
export function reloadService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Reloads configuration files that were edited manually.',
    route: '/reload',
    methods: {
      POST: defineProcedure({
        description:
          'Reloads the configuration files. If they are invalid (422), the current configuration stays active.',
        response: Type.Omit(outcome, ['revision']),
        handler: async (context) => {
          if (context.event.request.hasBody)
            throw problem('bad_request', { reason: 'This operation accepts no body.' });
          const { pending, changes } = admin();
          const { restart } = await pending.reload(actorOf(context));
          return { warnings: [...changes.running.warnings], restart: [...restart] };
        },
      }),
    },
  });
}
