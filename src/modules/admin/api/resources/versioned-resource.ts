import { AdminResource } from './admin-resource';
import { versionParameter, versionsOf } from './versioned-api';

/** Common options of services with an entity per API version. */
export const versionedServiceOptions = {
  route_identifier_name: 'api_version',
  parameters: { api_version: versionParameter },
} as const;

/** The base class of their resources. */
export abstract class VersionedResource<Entity extends object> extends AdminResource<Entity> {
  /** @param name such as `Atlas-v1` */
  abstract fetch(name: string): Promise<Entity>;

  async fetchAll(): Promise<readonly Entity[]> {
    const versions = await versionsOf(this.admin.changes.running);
    return Promise.all(versions.map(({ api, version }) => this.fetch(`${api}-v${version}`)));
  }
}
