import { Type, type Static } from '@sinclair/typebox';
import {
  defineRestService,
  type HandlerContext,
  type MergePatch,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import { accessRule } from '../../mvc-auth';
import { adapterNames, mapEntry, mapPath } from '../actions/access/adapter-map';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { CHANGE_STATUSES } from './resources/api-context';
import { versionIn, versionParameter } from './resources/versioned-api';
import { versionedServiceOptions, VersionedResource } from './resources/versioned-resource';

const key = Type.String({
  description:
    'An API, a version or a service of it ("Atlas-v2/Country"), "*", "@documentation", or static files ("@static-files", or "@static-files/app" for a folder).',
  examples: ['Atlas-v1'],
});
const adapters = Type.Array(Type.String(), {
  description: 'The names of adapters; empty for explicitly none.',
});
const entry = Type.Object({ key, adapters, source: Type.String({ description: 'Where it is configured.' }) });
const entryInput = Type.Object({ adapters }, { additionalProperties: false });

type Entry = Static<typeof entry>;

/** Defines the REST service of the adapter map. */
export function mapService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The map from APIs and services to adapters (`platform-mvc-auth.authentication.map`).',
    route: '/map[/:key]',
    route_identifier_name: 'key',
    parameters: { key },
    fields: entry,
    input: entryInput,
    collection: { GET: { description: 'Lists the entries.' } },
    entity: {
      GET: { description: 'Shows an entry.' },
      PUT: { description: 'Maps an API, a version or a service to adapters.', status_codes: CHANGE_STATUSES },
      DELETE: {
        description: 'Removes an entry; a less specific one then applies.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new MapResource(admin),
  });
}

class MapResource extends AdminResource<Entry> implements RestResource<Entry, Static<typeof entryInput>> {
  fetchAll(): readonly Entry[] {
    const map = this.admin.changes.configuration.valueAt(mapPath());
    const keys = typeof map === 'object' && map !== null ? Object.keys(map) : [];
    return keys.flatMap((one) => this.fetch(one) ?? []);
  }

  /** Entries share the tag of the map. */
  fetch(one: string): Entry | undefined {
    const { changes } = this.admin;
    const { adapters: names, source = '' } = mapEntry(changes.configuration, one);
    return names && this.tagged({ key: one, adapters: [...names], source }, changes.tagOf(mapPath()));
  }

  async update(
    one: string,
    data: Static<typeof entryInput>,
    context: HandlerContext,
  ): Promise<Entry | undefined> {
    await this.apply(context, () => this.admin.accessChanges.prepareMapEntry(one, data.adapters));
    return this.fetch(one);
  }

  async delete(one: string, context: HandlerContext): Promise<boolean> {
    if (this.fetch(one) === undefined) return false;
    await this.apply(context, () => this.admin.accessChanges.prepareMapEntry(one, undefined));
    return true;
  }
}

const operation = {
  service: Type.String({ examples: ['Country'] }),
  part: Type.Union([Type.Literal('collection'), Type.Literal('entity'), Type.Literal('rpc')]),
  method: Type.String({ examples: ['GET'] }),
};
const grid = Type.Object({
  api_version: versionParameter,
  adapters: Type.Array(Type.String(), { description: 'The names of all adapters.' }),
  rules: Type.Array(
    Type.Object({
      ...operation,
      rule: Type.Union([accessRule, Type.Null()], {
        description: 'The rule of this version; null if not set.',
      }),
      effective: accessRule,
      source: Type.String({ description: 'The source of the effective rule.' }),
    }),
  ),
});
const gridInput = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        {
          ...operation,
          rule: Type.Union([accessRule, Type.Null()], { description: 'Null removes the rule.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

type Grid = Static<typeof grid>;

/** Defines the REST service of the access rules. */
export function authorizationService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'Access rules of operations (`platform-mvc-auth.authorization`).',
    route: '/authorization[/:api_version]',
    ...versionedServiceOptions,
    fields: grid,
    input: gridInput,
    collection: { GET: { description: 'Lists the versions of all APIs with their rules.' } },
    entity: {
      GET: { description: 'Shows the rules of a version.' },
      PATCH: {
        description: 'Changes the given rules; others are kept.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new AuthorizationResource(admin),
  });
}

class AuthorizationResource
  extends VersionedResource<Grid>
  implements RestResource<Grid, Static<typeof gridInput>>
{
  async fetch(name: string): Promise<Grid> {
    const { access, changes } = this.admin;
    const { api, version } = versionIn(name);
    const view = await access.get(api, version);
    const rules = view.services.flatMap(({ operations }) =>
      operations.map(({ service, part, method, own, effective }) => ({
        service,
        part,
        method,
        rule: own ?? null,
        effective: effective.rule,
        source: effective.source,
      })),
    );
    const names = [...adapterNames(changes.configuration)];
    return this.tagged({ api_version: `${api}-v${version}`, adapters: names, rules }, view.tags.rules);
  }

  async patch(
    name: string,
    { rules = [] }: MergePatch<Static<typeof gridInput>>,
    context: HandlerContext,
  ): Promise<Grid> {
    const { api, version } = versionIn(name);
    const newRules = rules.map((one) => ({ ...one, rule: one.rule ?? undefined }));
    await this.apply(context, () => this.admin.accessChanges.prepareRules(api, version, newRules, '/rules'));
    return this.fetch(name);
  }
}
