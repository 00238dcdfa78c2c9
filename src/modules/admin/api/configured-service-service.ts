import { Type, type Static } from '@sinclair/typebox';
import type { ConfigObject } from '../../../framework';
import {
  defineProcedure,
  defineRestService,
  defineRpcService,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import type { ServiceView } from '../actions/services/service-view';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { applyChange, CHANGE_STATUSES, CREATION_STATUSES } from './resources/api-context';
import { versionIn, versionParameter } from './resources/versioned-api';

const name = Type.String({ description: 'The name of the service.', examples: ['Note'] });
const declaration = Type.Unsafe<ConfigObject>({
  type: 'object',
  description: 'The service as in `platform-hosting.apis.<Api>.versions.<n>.services.<Service>`.',
  examples: [
    {
      route: '/notes[/:id]',
      route_identifier_name: 'id',
      fields: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
      collection: { GET: {}, POST: {} },
      entity: { GET: {} },
      resource: 'not-implemented',
    },
  ],
});
const input = Type.Object({ name, declaration }, { additionalProperties: false });
const fields = Type.Object({
  name,
  kind: Type.String({ examples: ['rest'] }),
  route: Type.String(),
  source: Type.String({ description: 'The file, the module, or the version that declares it.' }),
  editable: Type.Boolean({ description: 'Whether it is declared in configuration.' }),
  operations: Type.Array(Type.String()),
  declaration: { ...declaration, description: 'Empty for a service in code.' },
  warnings: Type.Array(Type.String(), {
    description: 'The startup warnings that this change adds; empty if nothing changed.',
  }),
});

type Service = Static<typeof fields>;

/** Defines the REST service of the services of a version. */
export function configuredServiceService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The services of a version. Those in code cannot be changed (409).',
    route: '/apis/:api_version/services[/:service_name]',
    route_identifier_name: 'service_name',
    entity_identifier_name: 'name',
    parameters: { api_version: versionParameter, service_name: name },
    fields,
    input,
    page_size: 100,
    max_page_size: 1000,
    collection: {
      GET: { description: 'Lists the services.' },
      POST: {
        description: 'Adds a service. It is active when the response arrives.',
        status_codes: CREATION_STATUSES,
      },
    },
    entity: {
      GET: { description: 'Shows a service with its declaration.' },
      PUT: {
        description: 'Replaces the declaration of a service.',
        fields: Type.Object({ declaration }, { additionalProperties: false }),
        status_codes: CHANGE_STATUSES,
      },
      DELETE: {
        description: 'Removes a service with its access rules and its adapters.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new ConfiguredServiceResource(admin),
  });
}

class ConfiguredServiceResource
  extends AdminResource<Service>
  implements RestResource<Service, Static<typeof input>>
{
  async fetchAll(context: HandlerContext): Promise<readonly Service[]> {
    const { api, version } = versionOf(context);
    return (await this.admin.configuredServices.list(api, version)).services.map((one) => toEntity(one));
  }

  async fetch(service: string, context: HandlerContext): Promise<Service> {
    return this.#fetch(service, context);
  }

  async #fetch(service: string, context: HandlerContext, warnings?: readonly string[]): Promise<Service> {
    const { api, version } = versionOf(context);
    const view = await this.admin.configuredServices.get(api, version, service);
    return this.tagged(toEntity(view, warnings), view.tag);
  }

  async create(data: Static<typeof input>, context: HandlerContext): Promise<Service> {
    const { api, version } = versionOf(context);
    const { warnings } = await this.apply(context, () =>
      this.admin.configuredServices.prepareCreate(api, version, data.name, data.declaration),
    );
    return this.#fetch(data.name, context, warnings);
  }

  async update(
    service: string,
    { declaration: target }: Pick<Static<typeof input>, 'declaration'>,
    context: HandlerContext,
  ): Promise<Service> {
    const reference = { ...versionOf(context), name: service };
    const { warnings } = await this.apply(context, () =>
      this.admin.configuredServices.prepareReplace(reference, target),
    );
    return this.#fetch(service, context, warnings);
  }

  async delete(service: string, context: HandlerContext): Promise<void> {
    const { api, version } = versionOf(context);
    await this.apply(context, () => this.admin.configuredServices.prepareRemove(api, version, service));
  }
}

function versionOf({ parameters }: HandlerContext): ReturnType<typeof versionIn> {
  return versionIn(parameters.api_version ?? '');
}

function toEntity(
  { isEditable, operations, ...view }: ServiceView,
  warnings: readonly string[] = [],
): Service {
  const { name: own, kind, route, source, declaration: declared } = view;
  return {
    ...{ name: own, kind, route, source },
    editable: isEditable,
    operations: [...operations],
    declaration: declared,
    warnings: [...warnings],
  };
}

/** Defines the procedure that copies a version. */
export function versionCopyService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'New versions of APIs.',
    route: '/version-copies',
    methods: {
      POST: defineProcedure({
        description: 'Adds a version with the services of another one. Versions in code are inherited.',
        fields: Type.Object(
          {
            api_version: versionParameter,
            to: Type.Integer({ description: 'The number of the new version.' }),
            keep_default: Type.Optional(
              Type.Boolean({ description: 'Whether the default version stays the same; defaults to true.' }),
            ),
          },
          { additionalProperties: false },
        ),
        status: 201,
        response: Type.Object({ revision: Type.Integer(), summary: Type.String() }),
        status_codes: [{ code: 404, message: 'Not Found' }, ...CHANGE_STATUSES],
        handler: async (context) => {
          const { api_version: from, to, keep_default: isDefaultKept = true } = context.body;
          const { api, version } = versionIn(from);
          const { revision, summary } = await applyChange(context, admin(), () =>
            admin().configuredServices.prepareVersion(api, version, to, isDefaultKept),
          );
          return { revision: revision.number, summary };
        },
      }),
    },
  });
}
