import { runCooperatively, type Application } from '../../../../framework';
import { Catalogue } from '../../../hosting';
import type { AccessRule } from '../../../mvc-auth';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import {
  inheritedRule,
  ruleWithSource,
  rulePath,
  rulesPath,
  type OperationReference,
  type RuleWithSource,
} from './access-origin';
import type {
  AccessView,
  DefaultAccess,
  ApiSummary,
  OperationAccess,
  ServiceAccess,
  VersionReference,
} from './access-view';
import {
  adapterNames,
  DOCUMENTATION,
  effectiveEntry,
  keysFor,
  mapEntry,
  mapPath,
  type MapEntry,
} from './adapter-map';
import { declaredVersion, type DeclaredVersion } from '../texts/declared-api';

/** Reads the adapters and access rules of APIs. */
export class ApiAccess {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Lists the hosted APIs. */
  async list(): Promise<readonly ApiSummary[]> {
    const { apis } = await this.#running.services.get(Catalogue);
    const { configuration } = this.#changes;
    return apis.map(({ name, description, defaultVersion, versions }) => ({
      name,
      description,
      versions: versions.map(({ version, services }) => ({
        version,
        isDefault: version === defaultVersion,
        services: services.map((service) => service.name),
        effective: effectiveEntry(configuration, keysFor(name, version)),
      })),
    }));
  }

  /** Returns the map entries that do not belong to a single API. */
  common(): DefaultAccess {
    const { configuration } = this.#changes;
    return {
      adapters: adapterNames(configuration),
      entries: ['*', DOCUMENTATION].map((key) => mapEntry(configuration, key)),
      tag: this.#changes.tagOf(mapPath()),
    };
  }

  /** @throws Problem 404 */
  async get(name: string, version: number): Promise<AccessView> {
    const declared = await declaredVersion(this.#running, name, version);
    const { configuration } = this.#changes;
    const services = await runCooperatively(this.#services(declared));
    return {
      api: name,
      version,
      adapters: adapterNames(configuration),
      entries: keysFor(name, version).map((key) => mapEntry(configuration, key)),
      effective: effectiveEntry(configuration, keysFor(name, version)),
      services,
      tags: {
        map: this.#changes.tagOf(mapPath()),
        rules: this.#changes.tagOf(rulesPath(`${name}-v${version}`)),
      },
    };
  }

  /** Returns the operations of a version by service; none for one that does not exist. @param key such as `Atlas-v1` */
  async operationsOf(
    key: string,
  ): Promise<readonly { readonly name: string; readonly operations: readonly OperationReference[] }[]> {
    const { apis } = await this.#running.services.get(Catalogue);
    const versions = apis.flatMap((api) => api.versions.map((version) => ({ api, version })));
    const found = versions.find(({ api, version }) => `${api.name}-v${version.version}` === key);
    return (found?.version.services ?? []).map(({ name, operations, entityOperations }) => ({
      name,
      operations: [...operations, ...entityOperations],
    }));
  }

  /** Returns the rule of an operation with its source. @throws Problem 404 for an unknown API or version */
  async ruleOf({
    api,
    version,
    ...operation
  }: OperationReference & VersionReference): Promise<RuleWithSource> {
    const declared = await declaredVersion(this.#running, api, version);
    return this.#operation(declared, operation).effective;
  }

  /** Returns the entry of the map that applies to a service; undefined for none. */
  mapEntryOf({ api, version }: VersionReference, service: string): MapEntry | undefined {
    return effectiveEntry(this.#changes.configuration, keysFor(api, version, service));
  }

  *#services(declared: DeclaredVersion): Generator<undefined, readonly ServiceAccess[], void> {
    const { api, hosted } = declared;
    const { configuration } = this.#changes;
    yield* configuration.locateSources();
    const services: ServiceAccess[] = [];
    for (const service of hosted.services) {
      services.push({
        name: service.name,
        groups: service.tags,
        entry: mapEntry(configuration, `${api.name}-v${hosted.version}/${service.name}`),
        effective: effectiveEntry(configuration, keysFor(api.name, hosted.version, service.name)),
        operations: [...service.operations, ...service.entityOperations].map((endpoint) =>
          this.#operation(declared, endpoint),
        ),
      });
      yield;
    }
    return services;
  }

  get #running(): Application {
    return this.#changes.running;
  }

  #operation(declared: DeclaredVersion, { service, part, method }: OperationReference): OperationAccess {
    const { configuration } = this.#changes;
    const operation: OperationReference = { service, part, method };
    const path = rulePath(`${declared.api.name}-v${declared.hosted.version}`, operation);
    // Validated by the schema of the section.
    const own = configuration.valueAt(path) as AccessRule | undefined;
    const inherited = inheritedRule(configuration, declared, operation);
    return {
      ...operation,
      own,
      inherited,
      effective: own === undefined ? inherited : ruleWithSource(configuration, path, own, 'version'),
    };
  }
}
