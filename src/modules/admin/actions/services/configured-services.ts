import {
  formatKeyPath,
  isObject,
  memberAt,
  objectOf,
  problem,
  type ConfigEdit,
  type ConfigObject,
  type KeyPath,
} from '../../../../framework';
import type { HostedService } from '../../../hosting';
import type { Change, CopyEdit } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import { copiesOf, layeredEdits } from '../layered-edits';
import {
  declaredVersion,
  definitionPath,
  versionDefinitionPath,
  type DeclaredVersion,
} from '../texts/declared-api';
import { unsetEdit } from '../unset-edit';
import { replaceEqual } from './replace-equal';
import { accessEdits, isRemoval, type ServiceChange } from './service-access';
import {
  isComplete,
  kindOf,
  operationsOf,
  otherSource,
  type ServiceList,
  type ServiceView,
} from './service-view';
import { apiErrors } from './table-service-errors';
import { prepareVersionCopy } from './version-copy';
import { prepareVersionRemoval, reviewVersionRemoval, type VersionRemoval } from './version-removal';

/** Creates, changes, copies and removes services that are declared in configuration. */
export class ConfiguredServices {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** @throws Problem 404 */
  async list(api: string, version: number): Promise<ServiceList> {
    const declared = await declaredVersion(this.#changes.running, api, version);
    return {
      api,
      version,
      versions: declared.api.versions.map((one) => one.version),
      isCode: declared.code !== undefined,
      services: declared.hosted.services.map((service) => this.#view(declared, service)),
      tag: this.#changes.tagOf(definitionPath(api)),
    };
  }

  /** @throws Problem 404 */
  async get(api: string, version: number, name: string): Promise<ServiceView> {
    const declared = await declaredVersion(this.#changes.running, api, version);
    const { services } = declared.hosted;
    const found = services.find((one) => one.name === name);
    if (found !== undefined) return this.#view(declared, found);
    throw problem('name_not_found', { kind: 'service', name, names: services.map((one) => one.name) });
  }

  /** @throws Problem 404 for an unknown version, 422 for an invalid name */
  async prepareCreate(
    api: string,
    version: number,
    name: string,
    declaration: ConfigObject,
  ): Promise<Change> {
    const { api: hosted } = await declaredVersion(this.#changes.running, api, version);
    const errors = apiErrors({ api, version, name }, hosted);
    if (errors.length > 0) throw invalid(errors);
    const path = servicePath(api, version, name);
    return {
      summary: `Added the service "${name}" to ${api}-v${version}.`,
      subject: path,
      edits: layeredEdits(this.#changes.configuration, path, declaration),
      service: { api, version, service: name },
    };
  }

  /**
   * Removed operations lose their access rules; with another name, a service keeps its rules and its adapters.
   * @param declaration with references to environment variables, as a view has them, or their values
   * @param newName renames the service
   * @throws Problem 404, 409 for a service in code, 422 for an invalid name
   */
  async prepareReplace(
    { api, version, name }: Pick<ServiceView, 'api' | 'version' | 'name'>,
    declaration: ConfigObject,
    newName = name,
  ): Promise<Change> {
    await this.#editable(api, version, name);
    const { configuration } = this.#changes;
    const path = servicePath(api, version, name);
    const [effective, written] = [configuration.valueAt(path), configuration.writtenAt(path)];
    const target = objectOf(replaceEqual(declaration, written, effective));
    const withReferences = objectOf(replaceEqual(declaration, effective, written));
    const access = await this.#accessEdits(
      { api, version, name },
      { name: newName, declaration: withReferences },
    );
    if (newName !== name) {
      const added = await this.prepareCreate(api, version, newName, withReferences);
      return {
        ...added,
        summary: `Renamed the service "${name}" of ${api}-v${version} to "${newName}".`,
        subject: path,
        edits: [
          this.#unset(path),
          ...access,
          ...copiesOf(path, servicePath(api, version, newName), added.edits),
        ],
      };
    }
    return {
      summary: `Changed the service "${name}" of ${api}-v${version}.`,
      subject: path,
      edits: [...layeredEdits(configuration, path, target), ...access],
      service: { api, version, service: name },
    };
  }

  /** Removes a service with its access rules and adapters. @throws Problem 404, 409 for a service in code */
  async prepareRemove(api: string, version: number, name: string): Promise<Change> {
    await this.#editable(api, version, name);
    const path = servicePath(api, version, name);
    const access = await this.#accessEdits({ api, version, name }, undefined);
    return {
      summary: `Removed the service "${name}" from ${api}-v${version}.`,
      subject: path,
      edits: [this.#unset(path), ...access],
    };
  }

  /**
   * Returns the key paths of what is removed together with a service: its access rules and its adapters.
   * @throws Problem 404
   */
  async accessOf(api: string, version: number, name: string): Promise<readonly string[]> {
    const edits = await this.#accessEdits({ api, version, name }, undefined);
    return edits.filter(isRemoval).map(({ path }) => formatKeyPath(path));
  }

  /**
   * Adds a version with the services of another one: a copy of what is configured, which also inherits what is in code.
   * It has the same access rules and adapters.
   * @param isDefaultKept whether requests without a version are still answered by the current default
   * @throws Problem 404, 422 for an invalid or existing number
   */
  prepareVersion(api: string, from: number, to: number, isDefaultKept: boolean): Promise<Change> {
    return prepareVersionCopy(this.#changes, { api, from, to, isDefaultKept });
  }

  /** Describes what disappears with a version. @throws Problem 404 */
  reviewVersionRemoval(api: string, version: number): Promise<VersionRemoval> {
    return reviewVersionRemoval(this.#changes, api, version);
  }

  /**
   * Removes a version with its access rules and adapters, and with the last one its API.
   * @throws Problem 404, 409 for a version in code, 422 for one that others inherit from
   */
  prepareRemoveVersion(api: string, version: number): Promise<Change> {
    return prepareVersionRemoval(this.#changes, api, version);
  }

  async #editable(api: string, version: number, name: string): Promise<void> {
    const { isEditable, source } = await this.get(api, version, name);
    if (isEditable) return;
    throw problem('overruled', { path: formatKeyPath(servicePath(api, version, name)), source });
  }

  #view(declared: DeclaredVersion, service: HostedService): ServiceView {
    const { configuration } = this.#changes;
    const { api, version, name } = service;
    const path = servicePath(api, version, name);
    const value = configuration.valueAt(path);
    const own = ['versions', String(version), 'services', name];
    const isCode = memberAt(declared.code?.definition, own) !== undefined;
    const isEditable = isObject(value) && !isCode && isComplete(value);
    return {
      api,
      version,
      name,
      kind: kindOf(value, service),
      route: service.route,
      source: isEditable ? configuration.sourceOf(path) : otherSource(declared, declared.hosted, isCode),
      isEditable,
      declaration: isEditable ? objectOf(configuration.writtenAt(path)) : {},
      values: isEditable ? value : {},
      operations: operationsOf(service),
      tag: this.#changes.tagOf(path),
    };
  }

  #unset(path: KeyPath): ConfigEdit {
    return unsetEdit(this.#changes.configuration, path);
  }

  async #accessEdits(
    { api, version, name }: Pick<ServiceView, 'api' | 'version' | 'name'>,
    target: ServiceChange['target'],
  ): Promise<readonly CopyEdit[]> {
    const { configuration, running } = this.#changes;
    const declaration = objectOf(configuration.valueAt(servicePath(api, version, name)));
    const declared = await declaredVersion(running, api, version);
    return accessEdits(configuration, declared, { name, declaration, target });
  }
}

function servicePath(api: string, version: number, name: string): KeyPath {
  return versionDefinitionPath(api, version, ['services', name]);
}
