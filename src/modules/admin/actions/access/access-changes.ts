import { formatPointer, formatKeyPath, type ConfigEdit } from '../../../../framework';
import { Catalogue } from '../../../hosting';
import { isStaticFilesKey, type AccessRule } from '../../../mvc-auth';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import { isSameValue } from '../../changes/comparison/same-value';
import { unsetEdit } from '../unset-edit';
import { rulePath, rulesPath, type OperationReference } from './access-origin';
import { ruleErrors } from './access-rule';
import type { RuleChange } from './access-view';
import { adapterNames, DOCUMENTATION, keysFor, loneAdapterEdits, mapEntry, mapPath } from './adapter-map';
import type { ApiAccess } from './api-access';

/** Prepares changes of the adapters and access rules of APIs. */
export class AccessChanges {
  readonly #changes: ConfigurationChanges;
  readonly #access: ApiAccess;

  constructor(changes: ConfigurationChanges, access: ApiAccess) {
    this.#changes = changes;
    this.#access = access;
  }

  /**
   * @param key of the map: an API, a version or a service of it, `*`, `@documentation`, or one of static files
   * @param adapters empty for explicitly none; undefined removes the entry
   * @throws Problem 422 for an unknown key, which the input does not contain, or an unknown adapter, with the pointer `/adapters`
   */
  async prepareMapEntry(key: string, adapters: readonly string[] | undefined): Promise<Change> {
    return this.prepareMapEntries(new Map([[key, adapters]]), {
      ofKey: () => '',
      ofAdapters: () => '/adapters',
    });
  }

  /**
   * Changes several entries at once.
   * @param pointers of the errors of an entry: of its key, and of its adapters
   * @throws Problem 422 for an unknown key or adapter
   */
  async prepareMapEntries(
    entries: ReadonlyMap<string, readonly string[] | undefined>,
    pointers = { ofKey: pointerOfEntry, ofAdapters: pointerOfEntry },
  ): Promise<Change> {
    const { configuration } = this.#changes;
    const known = adapterNames(configuration);
    const keys = await this.#mapKeys();
    const errors = [...entries].flatMap(([key, adapters = []]) => {
      if (!keys.has(key) && !isStaticFilesKey(key)) {
        return [
          { pointer: pointers.ofKey(key), message: `API, version or service "${key}" does not exist.` },
        ];
      }
      const unknown = adapters.filter((name) => !known.includes(name));
      return unknown.map((name) => ({
        pointer: pointers.ofAdapters(key),
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
      edits: [
        ...differing.map(([key, adapters]) => this.#mapEdit(key, adapters)),
        ...(differing.length === 0 || differing.some(([key]) => key === '*')
          ? []
          : loneAdapterEdits(configuration)),
      ],
    };
  }

  /**
   * @param pointer of the rules
   * @throws Problem 404, 422 for an unknown operation or an invalid rule, with pointers into `rules`
   */
  async prepareRules(
    name: string,
    version: number,
    rules: readonly RuleChange[],
    pointer = '',
  ): Promise<Change> {
    const view = await this.#access.get(name, version);
    const operations = new Map(
      view.services.flatMap((service) => service.operations).map((one) => [keyOf(one), one]),
    );
    const isDiffering = (one: RuleChange): boolean => !isSame(operations.get(keyOf(one))?.own, one.rule);
    const errors = rules.flatMap((change, at) => {
      if (!operations.has(keyOf(change)))
        return [
          { pointer: `${pointer}/${at}`, message: `Operation ${operationName(change)} does not exist.` },
        ];
      // Files may have rules that cannot be entered, such as an empty list: they can be kept.
      return isDiffering(change) ? ruleErrors(change.rule, `${pointer}/${at}/rule`) : [];
    });
    if (errors.length > 0) throw invalid(errors);
    const { configuration } = this.#changes;
    const differing = rules.filter(isDiffering);
    const key = `${name}-v${version}`;
    return {
      summary: `Changed the access rules of ${key}: ${summarizeNames(differing.map(operationName), 'operations')}.`,
      subject: rulesPath(key),
      edits: differing.map(({ rule, ...operation }) =>
        rule === undefined
          ? unsetEdit(configuration, rulePath(key, operation))
          : { path: rulePath(key, operation), value: rule },
      ),
    };
  }

  #mapEdit(key: string, adapters: readonly string[] | undefined): ConfigEdit {
    const path = mapPath(key);
    if (adapters === undefined) return unsetEdit(this.#changes.configuration, path);
    const [first] = adapters;
    return { path, value: adapters.length === 1 && first !== undefined ? first : [...adapters] };
  }

  async #mapKeys(): Promise<ReadonlySet<string>> {
    const { services } = await this.#changes.running.services.get(Catalogue);
    return new Set([
      '*',
      DOCUMENTATION,
      ...services.flatMap(({ api, version, name }) => keysFor(api, version, name)),
    ]);
  }
}

/** The maximum number of names in the summary of a change. */
const MAX_LISTED = 10;

function pointerOfEntry(key: string): string {
  return formatPointer([key]);
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
