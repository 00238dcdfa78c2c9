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
import type { AdapterView } from '../actions/adapters/adapter-view';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { assertKept, CHANGE_STATUSES, CREATION_STATUSES } from './resources/api-context';

const options = Type.Unsafe<ConfigObject>({
  type: 'object',
  description: 'The options of its kind; for HttpAdapter those of RFC 7617 and RFC 7616 adapters.',
  examples: [{ accept_schemes: ['basic'], realm: 'Shop', htpasswd: 'data/shop.htpasswd' }],
});

const input = Type.Object(
  {
    name: Type.String({ description: 'The name that the map and messages use.', examples: ['shop-basic'] }),
    adapter: Type.String({ description: 'The kind, such as HttpAdapter.', examples: ['HttpAdapter'] }),
    options,
  },
  { additionalProperties: false },
);

const fields = Type.Object({
  ...input.properties,
  type: Type.String({ description: 'The display name.', examples: ['Basic'] }),
  used_by: Type.Array(Type.String(), { description: 'The map entries that use it.' }),
  source: Type.String({ description: 'The file with line and column, or the module, that configures it.' }),
});

type Adapter = Static<typeof fields>;

/** Defines the REST service of the authentication adapters. */
export function adapterService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'Authentication adapters (`platform-mvc-auth.authentication.adapters`).',
    route: '/adapters[/:adapter_name]',
    route_identifier_name: 'adapter_name',
    entity_identifier_name: 'name',
    parameters: {
      adapter_name: Type.String({ description: 'The name of the adapter.', examples: ['shop-basic'] }),
    },
    fields,
    input,
    collection: {
      GET: { description: 'Lists the adapters.' },
      POST: {
        description: 'Adds an adapter. It is active when the response arrives.',
        status_codes: CREATION_STATUSES,
      },
    },
    entity: {
      GET: { description: 'Shows an adapter. Secrets are masked.' },
      PUT: {
        description:
          'Replaces the options of an adapter. Masked secrets keep their value; one that would be sent to another host must be entered again.',
        fields: Type.Object(
          { name: Type.Optional(Type.String()), adapter: Type.Optional(Type.String()), options },
          { additionalProperties: false },
        ),
        status_codes: CHANGE_STATUSES,
      },
      DELETE: {
        description: 'Removes an adapter that the map does not use.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new AdapterResource(admin),
  });
}

class AdapterResource extends AdminResource<Adapter> implements RestResource<Adapter, Static<typeof input>> {
  async fetchAll(): Promise<readonly Adapter[]> {
    return (await this.admin.adapters.list()).map(toEntity);
  }

  async fetch(name: string): Promise<Adapter> {
    const view = await this.admin.adapters.get(name);
    return this.tagged(toEntity(view), view.tag);
  }

  async create(
    { name, adapter, options: newOptions }: Static<typeof input>,
    context: HandlerContext,
  ): Promise<Adapter> {
    await this.apply(context, () => this.admin.adapters.prepareCreate(name, adapter, newOptions));
    return this.fetch(name);
  }

  async update(
    name: string,
    { name: sent, adapter, options: newOptions }: Static<typeof input>,
    context: HandlerContext,
  ): Promise<Adapter> {
    const { kind } = await this.admin.adapters.get(name);
    assertKept({ name: [sent, name], adapter: [adapter, kind] });
    await this.apply(context, () => this.admin.adapters.prepareReplace(name, newOptions));
    return this.fetch(name);
  }

  async delete(name: string, context: HandlerContext): Promise<void> {
    await this.apply(context, () => this.admin.adapters.prepareRemove(name));
  }
}

function toEntity({ name, kind, options: current, type, usedBy, source }: AdapterView): Adapter {
  return { name, adapter: kind, options: current, type, used_by: [...usedBy], source };
}

const finding = Type.Object({
  level: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('ok')]),
  pointer: Type.String({ description: 'The option, as a JSON Pointer.' }),
  message: Type.String(),
});

/** Defines the procedure that checks the options of an adapter. */
export function adapterCheckService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Checks the options of an adapter without saving them.',
    route: '/adapter-check',
    methods: {
      POST: defineProcedure({
        description: 'Checks options and that files exist, are readable and have users of the realm.',
        fields: Type.Object(
          {
            adapter: input.properties.adapter,
            options,
            name: Type.Optional(Type.String({ description: 'The existing adapter, if any.' })),
          },
          { additionalProperties: false },
        ),
        response: Type.Object({ findings: Type.Array(finding) }),
        handler: async ({ body }) => ({
          findings: (await admin().adapters.check(body.adapter, body.options, body.name)).map(
            ({ level, pointer, message }) => ({ level, pointer, message }),
          ),
        }),
      }),
    },
  });
}

/** Defines the procedure that tests a sign-in. */
export function signInTestService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Verifies a user name and password with an adapter.',
    route: '/sign-in-test',
    methods: {
      POST: defineProcedure({
        description: 'Signs in as a client would. Failures count for throttling; nothing is stored.',
        fields: Type.Object(
          { adapter: Type.String(), username: Type.String(), password: Type.String() },
          { additionalProperties: false },
        ),
        handler: ({ body: { adapter, username, password }, event }) =>
          admin().adapters.trySignIn(adapter, { username, password, address: event.request.address }),
      }),
    },
  });
}

/** Defines the procedure that lists the kinds of adapters. */
export function adapterKindService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'The kinds of adapters contributed by modules.',
    route: '/adapter-kinds',
    methods: {
      GET: defineProcedure({
        description: 'Lists the kinds with the JSON Schema of their options.',
        handler: async () => ({
          kinds: (await admin().adapters.kinds()).map(({ name, schema }) => ({ name, schema })),
        }),
      }),
    },
  });
}
