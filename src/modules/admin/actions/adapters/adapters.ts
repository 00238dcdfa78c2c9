import { createRequire } from 'node:module';
import {
  isTree,
  problem,
  type Configuration,
  type ConfigTree,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import type { Finding } from './adapter-findings';
import { adapterKinds, HTTP_ADAPTER, type AdapterKind } from './adapter-kinds';
import { refusalOfName } from './adapter-name';
import { describeAdapter, type AdapterView } from './adapter-view';
import { findingsOfHttp } from './http-findings';
import { invalid } from '../invalid';
import { layeredEdits } from '../layered-edits';
import { findingsOfOpening } from './opening-findings';
import type * as OptionErrors from './option-errors';
import { keepSecrets, secretOptions } from './option-secrets';
import { passwordFileView } from '../password-files/password-file-view';
import { testSignIn, type KnownUser, type SignInResult, type TestedUser } from './sign-in-test';

const load = createRequire(__filename);

const AT: KeyPath = ['platform-mvc-auth', 'authentication', 'adapters'];

/** The authentication adapters of the configuration: looking at them, and making changes of them. */
export class Adapters {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** The kinds that an adapter can be of, with the JSON Schema of their options. */
  kinds(): Promise<readonly AdapterKind[]> {
    return adapterKinds(this.#changes.running);
  }

  /** All adapters, in the order of the configuration. */
  async list(): Promise<readonly AdapterView[]> {
    const kinds = await this.kinds();
    return Object.keys(this.#all).flatMap((name) => this.#view(name, kinds) ?? []);
  }

  /** @throws Problem 404 */
  async get(name: string): Promise<AdapterView> {
    return this.#view(name, await this.kinds()) ?? this.#missing(name);
  }

  /**
   * What is right and wrong with options, field by field, without a change.
   * @param name of the adapter that has them, where there is one
   */
  async check(kind: string, options: ConfigTree, name?: string): Promise<readonly Finding[]> {
    const found = await this.#kind(kind);
    const { factory, schema } = found;
    const wanted = this.#withSecrets(found, options, name);
    // Needed by who edits adapters, not by who starts.
    const { optionErrors } = load('./option-errors') as typeof OptionErrors;
    const errors = optionErrors(schema, wanted).map((error) => ({ level: 'error' as const, ...error }));
    const { root } = this.#configuration;
    if (kind === HTTP_ADAPTER) {
      const current = name === undefined ? {} : this.#optionsOf(name);
      return [...errors, ...(await findingsOfHttp(root, wanted, errors, current))];
    }
    if (errors.length > 0) return errors;
    const context = { root, configuration: this.#configuration, warn: () => undefined };
    return findingsOfOpening(() => factory.open(name ?? 'new', wanted, context));
  }

  /** @throws Problem 409 for a name that is taken, 422 for what is wrong */
  async toCreate(name: string, kind: string, options: ConfigTree): Promise<Change> {
    const refusal = refusalOfName(name);
    if (refusal !== undefined) throw invalid([{ pointer: '/name', message: refusal }]);
    if (Object.hasOwn(this.#all, name)) {
      const message = `There is an adapter "${name}" already. Choose another name.`;
      const extensions = { errors: [{ pointer: '/name', message }] };
      throw problem('name_taken', { kind: 'adapter', name }, { extensions });
    }
    const path = [...AT, name];
    const wanted = { adapter: kind, options: await this.#checked(kind, options) };
    return {
      summary: `Added the adapter "${name}".`,
      edits: layeredEdits(this.#configuration, path, wanted),
      subject: path,
    };
  }

  /**
   * @param options all of them; a secret that is given back masked stays as it is
   * @throws Problem 404, 422 for what is wrong
   */
  async toReplace(name: string, options: ConfigTree): Promise<Change> {
    const { kind } = await this.get(name);
    const path = [...AT, name];
    const wanted = { adapter: kind, options: await this.#checked(kind, options, name) };
    return {
      summary: `Changed the adapter "${name}".`,
      edits: layeredEdits(this.#configuration, path, wanted),
      subject: path,
    };
  }

  /** @throws Problem 404, 409 where the map uses it */
  async toRemove(name: string): Promise<Change> {
    const path = [...AT, name];
    const { usedBy: by } = await this.get(name);
    if (by.length > 0) throw problem('still_used', { kind: 'adapter', name, by });
    return {
      summary: `Removed the adapter "${name}".`,
      edits: layeredEdits(this.#configuration, path, undefined),
      subject: path,
    };
  }

  /**
   * Signs in to an adapter as a client would; a failure counts as everyone's does.
   * @throws Problem 404, 503 when too many passwords wait
   */
  async trySignIn(name: string, user: TestedUser): Promise<SignInResult> {
    const adapter = await this.get(name);
    return testSignIn(this.#changes.running, name, user, await this.#known(adapter, user.username));
  }

  async #known({ files, realm, type }: AdapterView, username: string): Promise<KnownUser> {
    const option = type === 'Basic' ? 'htpasswd' : type === 'Digest' ? 'htdigest' : undefined;
    const file = files.find((one) => one.option === option);
    if (file === undefined) return { exists: undefined, algorithms: [] };
    // A file outside of the project is not looked into.
    const view = await passwordFileView(this.#configuration, file.path).catch(() => undefined);
    const found = view?.realms
      .filter((one) => one.realm === (option === 'htdigest' ? realm : null))
      .flatMap(({ users }) => users)
      .find(({ name }) => name === username);
    const exists = view === undefined ? undefined : found !== undefined;
    return { exists, algorithms: found?.algorithms ?? [] };
  }

  async #checked(kind: string, options: ConfigTree, name?: string): Promise<ConfigTree> {
    const findings = await this.check(kind, options, name);
    const errors = findings.filter(({ level }) => level === 'error');
    if (errors.length > 0) throw invalid(errors.map(({ pointer, message }) => ({ pointer, message })));
    return this.#withSecrets(await this.#kind(kind), options, name);
  }

  #withSecrets({ name: kind, schema }: AdapterKind, options: ConfigTree, name?: string): ConfigTree {
    const current = name === undefined ? {} : this.#optionsOf(name);
    return keepSecrets(schema, options, current, secretOptions(this.#configuration, kind, name));
  }

  async #kind(name: string): Promise<AdapterKind> {
    const kinds = await this.kinds();
    const found = kinds.find((kind) => kind.name === name);
    if (found !== undefined) return found;
    const message = `There is no kind of adapter "${name}". There is: ${kinds.map((kind) => kind.name).join(', ')}.`;
    throw invalid([{ pointer: '/adapter', message }]);
  }

  #view(name: string, kinds: readonly AdapterKind[]): AdapterView | undefined {
    if (!Object.hasOwn(this.#all, name)) return undefined;
    const path = [...AT, name];
    return describeAdapter(this.#configuration, path, kinds, this.#changes.tagOf(path));
  }

  #optionsOf(name: string): ConfigTree {
    const options = this.#configuration.valueAt([...AT, name, 'options']);
    return isTree(options) ? options : {};
  }

  #missing(name: string): never {
    throw problem('name_not_found', { kind: 'adapter', name, names: Object.keys(this.#all) });
  }

  get #all(): Readonly<Record<string, ConfigValue>> {
    const all = this.#configuration.valueAt(AT);
    return isTree(all) ? all : {};
  }

  get #configuration(): Configuration {
    return this.#changes.configuration;
  }
}
