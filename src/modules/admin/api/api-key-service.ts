import { Type, type Static } from '@sinclair/typebox';
import {
  defineRestService,
  type CollectionContext,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import type { ListedKey } from '../actions/api-keys/api-keys';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { actorOf } from './resources/api-context';

const texts = (description: string) => Type.Array(Type.String({ minLength: 1 }), { description });
const rateLimit = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Requests.' }),
    window: Type.Integer({ minimum: 1, maximum: 9_999_999, description: 'Seconds.' }),
  },
  { additionalProperties: false },
);
const owner = Type.String({ description: 'Who uses the key: the name of its identity.', examples: ['ci'] });

const fields = Type.Object({
  id: Type.String({ description: 'The beginning of the key.', examples: ['apidesc_4fG9xK2a'] }),
  owner,
  scopes: texts('What the key allows.'),
  groups: texts('The groups of the owner.'),
  created: Type.String({ format: 'date-time' }),
  expires: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null if the key does not expire.',
  }),
  expired: Type.Boolean({ description: 'Whether the key has expired.' }),
  rate_limit: Type.Union([rateLimit, Type.Null()], { description: 'How many requests the key may make.' }),
  last_used: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null if the key was not used yet. Written once a minute.',
  }),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The key itself, in the response to its creation only; otherwise null.',
  }),
});
const input = Type.Object(
  {
    owner,
    scopes: Type.Optional(fields.properties.scopes),
    groups: Type.Optional(fields.properties.groups),
    expires: Type.Optional(
      Type.String({
        description: 'A duration (12h, 30d, 4w, 1y), or a day in UTC. Defaults to never.',
        examples: ['30d', '2027-01-31'],
      }),
    ),
    rate_limit: Type.Optional(rateLimit),
  },
  { additionalProperties: false },
);

type Key = Static<typeof fields>;
type NewKey = Static<typeof input>;

/** Defines the REST service of the keys of an `ApiKeyAdapter`. */
export function apiKeyService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The keys of an `ApiKeyAdapter`. Created and revoked keys apply immediately.',
    route: '/adapters/:adapter/keys[/:id]',
    route_identifier_name: 'id',
    parameters: {
      adapter: Type.String({ description: 'The name of the adapter.', examples: ['keys'] }),
      id: fields.properties.id,
    },
    fields,
    input,
    collection: {
      GET: { description: 'Lists the keys, newest first.' },
      POST: { description: 'Creates a key. The response contains it this one time.' },
    },
    entity: { GET: { description: 'Shows a key.' }, DELETE: { description: 'Revokes a key.' } },
    resource: new ApiKeyResource(admin),
  });
}

class ApiKeyResource extends AdminResource implements RestResource<Key, NewKey> {
  async fetchAll(context: CollectionContext): Promise<readonly Key[]> {
    return (await this.admin.apiKeys.list(adapterOf(context))).map((key) => entityOf(key));
  }

  async fetch(id: string, context: HandlerContext): Promise<Key | undefined> {
    const found = (await this.admin.apiKeys.list(adapterOf(context))).find((one) => one.id === id);
    return found && entityOf(found);
  }

  async create({ rate_limit: limit, ...sent }: NewKey, context: HandlerContext): Promise<Key> {
    const request = { ...sent, ...(limit === undefined ? {} : { rateLimit: limit }) };
    const { key, stored } = await this.admin.apiKeys.create(adapterOf(context), request, actorOf(context));
    return entityOf({ ...stored, isExpired: false, lastUsed: undefined }, key);
  }

  async delete(id: string, context: HandlerContext): Promise<void> {
    await (await this.admin.apiKeys.revoke(adapterOf(context), id, actorOf(context))).apply();
  }
}

function entityOf(key: ListedKey, secret: string | null = null): Key {
  const { id, owner: name, scopes, groups, created, expires, rate_limit: limit, isExpired, lastUsed } = key;
  return {
    id,
    owner: name,
    scopes: [...scopes],
    groups: [...groups],
    created,
    expires: expires ?? null,
    expired: isExpired,
    rate_limit: limit ?? null,
    last_used: lastUsed ?? null,
    key: secret,
  };
}

function adapterOf({ parameters }: HandlerContext): string {
  return parameters.adapter ?? '';
}
