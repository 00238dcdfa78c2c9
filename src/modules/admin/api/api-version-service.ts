import { Type, type Static } from '@sinclair/typebox';
import { defineRestService, type HandlerContext, type ServiceDefinition } from '../../hosting';
import type { AdminServices } from '../services';
import { CHANGE_STATUSES } from './resources/api-context';
import { versionIn } from './resources/versioned-api';
import { versionedServiceOptions, VersionedResource } from './resources/versioned-resource';

const fields = Type.Object({
  api_version: Type.String({ description: 'The API with its version.', examples: ['Atlas-v1'] }),
  source: Type.String({ description: 'The file or the module that declares it.' }),
  removable: Type.Boolean({
    description: 'Whether it can be removed: not if it is in code, or others inherit it.',
  }),
  last: Type.Boolean({ description: 'Whether it is the only version, with which the API is removed.' }),
  services: Type.Array(Type.String(), { description: 'Its services with their routes.' }),
  access: Type.Array(Type.String(), { description: 'The access settings that are removed with it.' }),
});

type ApiVersion = Static<typeof fields>;

/** Defines the REST service of the versions of APIs. */
export function apiVersionService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    ...versionedServiceOptions,
    description: 'The versions of APIs. Add one with a version copy.',
    route: '/api-versions[/:api_version]',
    fields,
    collection: { GET: { description: 'Lists the versions.' } },
    entity: {
      GET: { description: 'Shows what is removed with a version.' },
      DELETE: {
        description: 'Removes a version with its access rules and adapters; the last one with its API.',
        status_codes: [...CHANGE_STATUSES, { code: 422, message: 'Unprocessable Content' }],
      },
    },
    resource: new ApiVersionResource(admin),
  });
}

class ApiVersionResource extends VersionedResource<ApiVersion> {
  async fetch(name: string): Promise<ApiVersion> {
    const { api, version } = versionIn(name);
    const view = await this.admin.configuredServices.reviewVersionRemoval(api, version);
    const { source, isLast, refusal, services, access, tag } = view;
    const entity = {
      api_version: name,
      source,
      removable: refusal === undefined,
      last: isLast,
      services: [...services],
      access: [...access],
    };
    return this.tagged(entity, tag);
  }

  async delete(name: string, context: HandlerContext): Promise<void> {
    const { api, version } = versionIn(name);
    await this.apply(context, () => this.admin.configuredServices.prepareRemoveVersion(api, version));
  }
}
