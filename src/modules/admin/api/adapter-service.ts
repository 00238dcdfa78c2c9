import { Type, type Static } from '@sinclair/typebox';
import type { ConfigTree } from '../../../framework';
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
import { AdminResource } from './admin-resource';
import { CHANGE_STATUSES, CREATION_STATUSES } from './change-statuses';

const options = Type.Unsafe<ConfigTree>({
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
  type: Type.String({ description: 'What people call it.', examples: ['Basic'] }),
  used_by: Type.Array(Type.String(), { description: 'The entries of the map that name it.' }),
  source: Type.String({ description: 'The file with line and column, or the module, that configures it.' }),
});

type Adapter = Static<typeof fields>;

/** The authentication adapters as a REST service. */
export function adapterService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'Authentication adapters (`platform-mvc-auth.authentication.adapters`).',
    route: '/adapters[/:adapter_name]',
    route_identifier_name: 'adapter_name',
    entity_identifier_name: 'name',
    parameters: {
      adapter_name: Type.String({ description: 'The name of the adapter.', examples: ['shop-basic'] }),
    },
    authorization: 'authenticated',
    fields,
    input,
    collection: {
      GET: { description: 'Lists the adapters.' },
      POST: {
        description: 'Adds an adapter. It is in force when the answer arrives.',
        status_codes: CREATION_STATUSES,
      },
    },
    entity: {
      GET: { description: 'Shows an adapter. Secrets are masked.' },
      PUT: {
        description: 'Replaces the options of an adapter. A secret that is sent masked stays as it is.',
        fields: Type.Object(
          { name: Type.Optional(Type.String()), adapter: Type.Optional(Type.String()), options },
          { additionalProperties: false },
        ),
        status_codes: CHANGE_STATUSES,
      },
      DELETE: {
        description: 'Removes an adapter that no entry of the map names.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new AdapterResource(admin),
  });
}

class AdapterResource extends AdminResource<Adapter> implements RestResource<Adapter, Static<typeof input>> {
  async fetchAll(): Promise<readonly Adapter[]> {
    return (await this.admin.adapters.list()).map(shown);
  }

  async fetch(name: string): Promise<Adapter> {
    const view = await this.admin.adapters.get(name);
    return this.tagged(shown(view), view.tag);
  }

  async create(
    { name, adapter, options: wanted }: Static<typeof input>,
    context: HandlerContext,
  ): Promise<Adapter> {
    await this.apply(context, this.admin.adapters.toCreate(name, adapter, wanted));
    return this.fetch(name);
  }

  async update(
    name: string,
    { options: wanted }: Static<typeof input>,
    context: HandlerContext,
  ): Promise<Adapter> {
    await this.apply(context, this.admin.adapters.toReplace(name, wanted));
    return this.fetch(name);
  }

  async delete(name: string, context: HandlerContext): Promise<void> {
    await this.apply(context, this.admin.adapters.toRemove(name));
  }
}

function shown({ name, kind, options: set, type, usedBy, source }: AdapterView): Adapter {
  return { name, adapter: kind, options: set, type, used_by: [...usedBy], source };
}

const finding = Type.Object({
  level: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('ok')]),
  pointer: Type.String({ description: 'The option, as a JSON Pointer.' }),
  message: Type.String(),
});

/** What is right and wrong with options, before they are saved. */
export function adapterCheckService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Looks at the options of an adapter without saving them.',
    route: '/adapter-check',
    authorization: 'authenticated',
    methods: {
      POST: defineProcedure({
        description: 'Checks options: whether files exist, are readable, have users, and fit the realm.',
        fields: Type.Object(
          {
            adapter: input.properties.adapter,
            options,
            name: Type.Optional(
              Type.String({ description: 'The adapter that they are for, where there is one.' }),
            ),
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

/** Signs in to an adapter, to see whether it works. */
export function signInTestService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Tries a user name and a password against an adapter.',
    route: '/sign-in-test',
    authorization: 'authenticated',
    methods: {
      POST: defineProcedure({
        description: 'Signs in as a client would. Failures count for throttling; nothing is kept.',
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

/** The kinds that adapters can be of. */
export function adapterKindService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'The kinds of adapters that modules bring.',
    route: '/adapter-kinds',
    authorization: 'authenticated',
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
