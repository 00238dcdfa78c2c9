import {
  formatPointer,
  formatKeyPath,
  runCooperatively,
  type Application,
  type ConfigEdit,
} from '../../../../framework';
import { Catalogue } from '../../../hosting';
import { MVC_AUTH_KEY, type AccessRule } from '../../../mvc-auth';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import {
  inheritedRule,
  ruleWithSource,
  rulePath,
  type OperationReference,
  type RuleWithSource,
} from './access-origin';
import { ruleErrors } from './access-rule';
import type {
  AccessView,
  DefaultAccess,
  ApiSummary,
  OperationAccess,
  ServiceAccess,
  RuleChange,
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
import { invalid } from '../../changes/field-errors';
import { unsetEdit } from '../unset-edit';
import { isSameValue } from '../../changes/same-value';

/** Reads and changes the adapters and access rules of APIs. */
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
        rules: this.#changes.tagOf(rulesPath(name, version)),
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

  /**
   * @param key of the map: an API, a version or a service of it, `*`, or `@documentation`
   * @param adapters empty for explicitly none; undefined removes the entry
   * @throws Problem 422 for an unknown key or adapter
   */
  async prepareMapEntry(key: string, adapters: readonly string[] | undefined): Promise<Change> {
    return this.prepareMapEntries(new Map([[key, adapters]]));
  }

  /** Changes several entries at once. @throws Problem 422 for an unknown key or adapter */
  async prepareMapEntries(entries: ReadonlyMap<string, readonly string[] | undefined>): Promise<Change> {
    const { configuration } = this.#changes;
    const known = adapterNames(configuration);
    const keys = await this.#mapKeys();
    const errors = [...entries].flatMap(([key, adapters = []]) => {
      const pointer = formatPointer([key]);
      if (!keys.has(key)) {
        return [{ pointer, message: `API, version or service "${key}" does not exist.` }];
      }
      const unknown = adapters.filter((name) => !known.includes(name));
      return unknown.map((name) => ({
        pointer,
        message: `Adapter "${name}" does not exist. Available: ${known.join(', ') || 'none'}.`,
      }));
    });
    if (errors.length > 0) throw invalid(errors);
    const differing = [...entries].filter(
      ([key, adapters]) => !isSame(mapEntry(configuration, key).adapters, adapters),
    );
    return {
      summary: `Mapped ${summarizeNames(
        differing.map(([key, adapters]) => `${key} to ${describeAdapters(adapters)}`),
        'entries',
      )}.`,
      subject: mapPath(),
      edits: differing.map(([key, adapters]) => this.#mapEdit(key, adapters)),
    };
  }

  /** @throws Problem 404, 422 for an unknown operation or an invalid rule, with pointers into `rules` */
  async prepareRules(name: string, version: number, rules: readonly RuleChange[]): Promise<Change> {
    const view = await this.get(name, version);
    const operations = new Map(
      view.services.flatMap((service) => service.operations).map((one) => [keyOf(one), one]),
    );
    const errors = rules.flatMap((change, at) =>
      operations.has(keyOf(change))
        ? ruleErrors(change.rule, `/${at}/rule`)
        : [{ pointer: `/${at}`, message: `Operation ${operationName(change)} does not exist.` }],
    );
    if (errors.length > 0) throw invalid(errors);
    const { configuration } = this.#changes;
    const differing = rules.filter((one) => !isSame(operations.get(keyOf(one))?.own, one.rule));
    const key = `${name}-v${version}`;
    return {
      summary: `Changed the access rules of ${key}: ${summarizeNames(differing.map(operationName), 'operations')}.`,
      subject: rulesPath(name, version),
      edits: differing.map(({ rule, ...operation }) =>
        rule === undefined
          ? unsetEdit(configuration, rulePath(key, operation))
          : { path: rulePath(key, operation), value: rule },
      ),
    };
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

  #mapEdit(key: string, adapters: readonly string[] | undefined): ConfigEdit {
    const path = mapPath(key);
    if (adapters === undefined) return unsetEdit(this.#changes.configuration, path);
    const [first] = adapters;
    return { path, value: adapters.length === 1 && first !== undefined ? first : [...adapters] };
  }

  async #mapKeys(): Promise<ReadonlySet<string>> {
    const { services } = await this.#running.services.get(Catalogue);
    return new Set([
      '*',
      DOCUMENTATION,
      ...services.flatMap(({ api, version, name }) => keysFor(api, version, name)),
    ]);
  }
}

/** The maximum number of names in the summary of a change. */
const MAX_LISTED = 10;

function rulesPath(api: string, version: number): readonly string[] {
  return [MVC_AUTH_KEY, 'authorization', `${api}-v${version}`];
}

function isSame(a: AccessRule | readonly string[] | undefined, b: typeof a): boolean {
  return isSameValue(a, b);
}

function keyOf({ service, part, method }: OperationReference): string {
  return JSON.stringify([service, part, method]);
}

/** Lists names for the summary of a change, or their number if there are many. */
function summarizeNames(names: readonly string[], noun: string): string {
  return names.length > MAX_LISTED ? `${names.length} ${noun}` : names.join(', ');
}

function operationName({ service, part, method }: OperationReference): string {
  return formatKeyPath([service, ...(part === 'rpc' ? [] : [part]), method]);
}

function describeAdapters(adapters: readonly string[] | undefined): string {
  if (adapters === undefined) return 'the less specific entry';
  return adapters.length === 0 ? 'no adapter' : adapters.join(' and ');
}
