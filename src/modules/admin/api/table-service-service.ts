import { Type, type Static } from '@sinclair/typebox';
import {
  defineProcedure,
  defineRpcService,
  type ServiceDefinition,
  type ServiceReference,
} from '../../hosting';
import { accessRule } from '../../mvc-auth';
import { operationNames } from '../actions/services/table-service-input';
import type { PartialTableService } from '../actions/services/table-services';
import { versionPath } from '../pages/admin-paths';
import type { AdminServices } from '../services';
import { actorOf, applyChange, CHANGE_STATUSES, CREATION_STATUSES } from './resources/api-context';

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const input = Type.Object(
  {
    adapter_name: Type.String({ description: 'The name of the database.', examples: ['shop'] }),
    table_name: Type.String({ description: 'A table or view.', examples: ['products'] }),
    api: Type.Optional(Type.String({ description: 'An existing API, or a new one.' })),
    version: Type.Optional(Type.Integer({ description: 'Defaults to that of the API.' })),
    name: Type.Optional(Type.String({ description: 'The name of the service.' })),
    description: Type.Optional(Type.String()),
    route: Type.Optional(Type.String({ examples: ['/products[/:id]'] })),
    identifier: names('The columns that identify an entity; defaults to the primary key.'),
    collection_name: Type.Optional(Type.String()),
    page_size: Type.Optional(Type.Integer()),
    columns: names('The columns that clients see.'),
    read_only: names('The columns that clients cannot write.'),
    operations: names(`Of ${operationNames.join(', ')}; defaults to all, those that read for a view.`),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Operators by column; defaults to those that an index serves.',
        secret: false,
        examples: [{ price: ['gte', 'lte'] }],
      }),
    ),
    sort: names('The columns by which clients can sort; defaults to those that an index serves.'),
    read_access: Type.Optional(accessRule),
    write_access: Type.Optional({ ...accessRule, description: 'Defaults to "authenticated".' }),
  },
  { additionalProperties: false },
);

const field = Type.Object({
  name: Type.String(),
  type: Type.String(),
  required: Type.Boolean(),
  description: Type.String(),
});
const preview = Type.Object({
  summary: Type.String(),
  difference: Type.Array(
    Type.Object({
      path: Type.String(),
      before: Type.Union([Type.String(), Type.Null()]),
      after: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  operations: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      access: Type.String(),
      query: Type.Array(field),
    }),
  ),
  fields: Type.Array(field),
  warnings: Type.Array(Type.String()),
});

/** Defines the procedure that adds a service over a table, and previews it. */
export function tableServiceService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'New services over tables. What the request omits is proposed.',
    route: '/table-services',
    methods: {
      POST: defineProcedure({
        description: 'Adds a service over a table. It is active when the response arrives.',
        fields: input,
        status: 201,
        response: Type.Object({
          revision: Type.Integer(),
          summary: Type.String(),
          warnings: Type.Array(Type.String()),
        }),
        status_codes: [{ code: 404, message: 'Not Found' }, ...CHANGE_STATUSES],
        handler: async (context) => {
          const { revision, summary, service, warnings } = await applyChange(context, admin(), () =>
            admin().tableServices.prepareCreate(toInput(context.body)),
          );
          const { path } = context.event.request;
          if (service !== undefined) context.event.response.fields.set('Location', locationOf(path, service));
          return { revision: revision.number, summary, warnings: [...warnings] };
        },
      }),
    },
  });
}

/** Defines the procedure that previews a service over a table. */
export function tableServicePreviewService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Previews of new services over tables.',
    route: '/table-service-preview',
    methods: {
      POST: defineProcedure({
        description: 'Shows the documentation of a new service, and the difference of the configuration.',
        fields: input,
        response: preview,
        status_codes: [{ code: 404, message: 'Not Found' }, ...CREATION_STATUSES],
        handler: async (context) => {
          const { tableServices, changes } = admin();
          const change = await tableServices.prepareCreate(toInput(context.body));
          return toPreview(await changes.preview(change, actorOf(context)));
        },
      }),
    },
  });
}

/** The path of the new service in the API of the admin: besides that of the procedure. */
function locationOf(path: string, { api, version, service }: ServiceReference): string {
  return path.replace(/[^/]*\/?$/, `${versionPath({ api, version }).slice(1)}/services/${service}`);
}

function toInput(body: Static<typeof input>): PartialTableService {
  const { adapter_name: adapter, table_name: table, page_size: pageSize } = body;
  const { collection_name: collectionName, read_only: readOnly, read_access: readAccess } = body;
  const { api, version, name, description, route, identifier, columns, operations, filters, sort } = body;
  return {
    ...{ adapter, table, api, version, name, description, route, identifier, columns, operations },
    ...{ filters, sort, pageSize, collectionName, readOnly, readAccess },
    ...(body.write_access === undefined ? {} : { writeAccess: body.write_access }),
  };
}

type ChangePreview = Awaited<ReturnType<AdminServices['changes']['preview']>>;

function toPreview({ summary, difference, warnings, documentation }: ChangePreview): Static<typeof preview> {
  return {
    summary,
    difference: difference.map(({ path, before = null, after = null }) => ({ path, before, after })),
    operations: (documentation?.operations ?? []).map(({ method, path, access, parameters }) => ({
      ...{ method, path, access },
      query: parameters.map(toField),
    })),
    fields: (documentation?.fields ?? []).map(toField),
    warnings: [...warnings],
  };
}

type DocumentedField = NonNullable<ChangePreview['documentation']>['fields'][number];

function toField({ name, type, isRequired, description }: DocumentedField): Static<typeof field> {
  return { name, type, required: isRequired, description };
}
