import {
  objectOf,
  problem,
  type Configuration,
  type ConfigObject,
  type ConfigValue,
} from '../../../../framework';
import { loneAdapterEdits } from '../access/adapter-map';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { checkPlace, type CheckResult } from './file-checks';
import { ADAPTERS_PATH, adapterKinds, HTTP_ADAPTER, type AdapterKind } from './adapter-kinds';
import { adapterNameError, checkByOpening, checkHttpOptions } from './adapter-checks';
import { describeAdapter, type AdapterView } from './adapter-view';
import { invalid } from '../../changes/field-errors';
import { layeredEdits } from '../layered-edits';
import { optionErrors } from './option-errors';
import { keepSecrets, movedSecrets, secretOptions } from './option-secrets';
import { readPasswordFile } from '../password-files/password-file-view';
import { testSignIn, type KnownUser, type SignInResult, type TestedUser } from './sign-in-test';

/** Reads and changes the configured authentication adapters. */
export class Adapters {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Returns the available kinds with the JSON Schema of their options. */
  kinds(): Promise<readonly AdapterKind[]> {
    return adapterKinds(this.#changes.running);
  }

  /** Lists the adapters in the order of the configuration. */
  async list(): Promise<readonly AdapterView[]> {
    const kinds = await this.kinds();
    return Object.keys(this.#all).flatMap((name) => this.#view(name, kinds) ?? []);
  }

  /** @throws Problem 404 */
  async get(name: string): Promise<AdapterView> {
    return this.#view(name, await this.kinds()) ?? this.#missing(name);
  }

  /**
   * Checks options without saving them.
   * @param name of the existing adapter; undefined for a new one
   */
  async check(kind: string, options: ConfigObject, name?: string): Promise<readonly CheckResult[]> {
    const found = await this.#kind(kind);
    const { factory, schema } = found;
    const newOptions = this.#withSecrets(found, options, name);
    const configuration = this.#configuration;
    const current = name === undefined ? {} : this.#optionsOf(name);
    const errors = [
      ...optionErrors(schema, newOptions),
      ...movedSecrets(schema, { options, kept: newOptions, current }),
    ].map((error) => ({ level: 'error' as const, ...error }));
    if (kind === HTTP_ADAPTER)
      return [...errors, ...(await checkHttpOptions(configuration, newOptions, errors, current))];
    if (errors.length > 0) return errors;
    const misplaced = await checkPlace(configuration, kind, newOptions, current);
    if (misplaced.length > 0) return misplaced;
    const context = { root: configuration.root, configuration, warn: () => undefined };
    const opened = name ?? 'new';
    return checkByOpening(() => factory.open(opened, newOptions, context), opened, schema);
  }

  /** Returns why a new adapter cannot have a name; undefined if it can. */
  nameError(name: string): string | undefined {
    return this.#has(name)
      ? `Adapter "${name}" already exists. Choose another name.`
      : adapterNameError(name);
  }

  /** @throws Problem 409 for an existing name, 422 for invalid input */
  async prepareCreate(name: string, kind: string, options: ConfigObject): Promise<Change> {
    const message = this.nameError(name);
    if (message !== undefined) {
      const errors = [{ pointer: '/name', message }];
      if (!this.#has(name)) throw invalid(errors);
      throw problem('name_taken', { kind: 'adapter', name }, { extensions: { errors } });
    }
    const path = [...ADAPTERS_PATH, name];
    const newOptions = { adapter: kind, options: await this.#checked(kind, options) };
    return {
      summary: `Added the adapter "${name}".`,
      edits: [
        ...layeredEdits(this.#configuration, path, newOptions),
        ...loneAdapterEdits(this.#configuration),
      ],
      subject: path,
    };
  }

  /**
   * @param options all of them; a masked secret keeps its value
   * @throws Problem 404, 422 for invalid options
   */
  async prepareReplace(name: string, options: ConfigObject): Promise<Change> {
    const { kind } = await this.get(name);
    const path = [...ADAPTERS_PATH, name];
    const newOptions = { adapter: kind, options: await this.#checked(kind, options, name) };
    return {
      summary: `Changed the adapter "${name}".`,
      edits: layeredEdits(this.#configuration, path, newOptions),
      subject: path,
    };
  }

  /** @throws Problem 404, 409 if the map uses it */
  async prepareRemove(name: string): Promise<Change> {
    const path = [...ADAPTERS_PATH, name];
    const { usedBy: by } = await this.get(name);
    if (by.length > 0) throw problem('in_use', { kind: 'adapter', name, by });
    return {
      summary: `Removed the adapter "${name}".`,
      edits: layeredEdits(this.#configuration, path, undefined),
      subject: path,
    };
  }

  /**
   * Signs in to an adapter as a client would; failures count for throttling.
   * @throws Problem 404, 503 if too many verifications are pending
   */
  async trySignIn(name: string, user: TestedUser): Promise<SignInResult> {
    const adapter = await this.get(name);
    return testSignIn(this.#changes.running, name, user, await this.#known(adapter, user.username));
  }

  async #known({ files, realm, type }: AdapterView, username: string): Promise<KnownUser> {
    const option = type === 'Basic' ? 'htpasswd' : type === 'Digest' ? 'htdigest' : undefined;
    const file = files.find((one) => one.option === option);
    if (file === undefined) return { exists: undefined, algorithms: [] };
    // Files outside the project are not read.
    const view = await readPasswordFile(this.#configuration, file.path).catch(() => undefined);
    const found = view?.realms
      .filter((one) => one.realm === (option === 'htdigest' ? realm : null))
      .flatMap(({ users }) => users)
      .find(({ name }) => name === username);
    const exists = view === undefined ? undefined : found !== undefined;
    return { exists, algorithms: found?.algorithms ?? [] };
  }

  async #checked(kind: string, options: ConfigObject, name?: string): Promise<ConfigObject> {
    const findings = await this.check(kind, options, name);
    const errors = findings.filter(({ level }) => level === 'error');
    if (errors.length > 0) throw invalid(errors.map(({ pointer, message }) => ({ pointer, message })));
    return this.#withSecrets(await this.#kind(kind), options, name);
  }

  #withSecrets({ name: kind, schema }: AdapterKind, options: ConfigObject, name?: string): ConfigObject {
    const current = name === undefined ? {} : this.#optionsOf(name);
    return keepSecrets(schema, options, current, secretOptions(this.#configuration, kind, name));
  }

  async #kind(name: string): Promise<AdapterKind> {
    const kinds = await this.kinds();
    const found = kinds.find((kind) => kind.name === name);
    if (found !== undefined) return found;
    const names = kinds.map((kind) => kind.name).join(', ');
    const message = `Adapter kind "${name}" does not exist. Available: ${names}.`;
    throw invalid([{ pointer: '/adapter', message }]);
  }

  #view(name: string, kinds: readonly AdapterKind[]): AdapterView | undefined {
    if (!this.#has(name)) return undefined;
    const path = [...ADAPTERS_PATH, name];
    return describeAdapter(this.#configuration, path, kinds, this.#changes.tagOf(path));
  }

  #optionsOf(name: string): ConfigObject {
    const options = this.#configuration.valueAt([...ADAPTERS_PATH, name, 'options']);
    return objectOf(options);
  }

  #missing(name: string): never {
    throw problem('name_not_found', { kind: 'adapter', name, names: Object.keys(this.#all) });
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#all, name);
  }

  get #all(): Readonly<Record<string, ConfigValue>> {
    const all = this.#configuration.valueAt(ADAPTERS_PATH);
    return objectOf(all);
  }

  get #configuration(): Configuration {
    return this.#changes.configuration;
  }
}
