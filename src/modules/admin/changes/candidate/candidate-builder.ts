import {
  objectOf,
  runCooperatively,
  type Application,
  type ApplicationHost,
  type ConfigObject,
} from '../../../../framework';
import type { Actor, Change, Restoration } from '../change';
import { changedPathSteps } from '../comparison/difference';
import type { LocalFileTexts } from '../local-file-texts';
import { assertEffective } from './assert-effective';
import { assertEditable } from './editable-paths';
import { assertIfMatch, type Preconditions } from './preconditions';
import { assertNoNewReferences } from './variable-references';

/** Checks an application before it is activated. @throws Problem */
export type Safeguard = (candidate: Application, actor: Actor) => void | Promise<void>;

/** Builds and checks the applications of changes, which are not active yet. */
export class CandidateBuilder {
  readonly #host: ApplicationHost;
  readonly #texts: LocalFileTexts;
  readonly #safeguard: Safeguard;

  constructor(host: ApplicationHost, texts: LocalFileTexts, safeguard: Safeguard) {
    this.#host = host;
    this.#texts = texts;
    this.#safeguard = safeguard;
  }

  /**
   * Builds the application of a change. The caller activates it or disposes of it; after an error it is disposed of.
   * @param texts the text of `local.json` without and with the change; undefined without the file
   * @throws Problem 403, 409, 412 or 422 for a change that is not permitted, has no effect, or adds references to
   *   environment variables; the errors of the safeguard
   * @throws ConfigurationError for an invalid configuration
   */
  async build(
    change: Change | Restoration,
    texts: { readonly before: string | undefined; readonly after: string | undefined },
    actor: Actor,
    preconditions: Preconditions,
  ): Promise<Application> {
    await assertIfMatch(this.#host, change, texts.before, preconditions);
    // Command line users can read the environment anyway.
    if ('edits' in change && actor.via !== 'command')
      assertNoNewReferences(change, await this.#texts.parsed(texts.before), this.#host.current.configuration);
    const candidate = await this.#host.build({ local: texts.after ?? null, isProposed: true });
    try {
      if ('edits' in change) assertEffective(change.edits, candidate.configuration, change.isUndoing);
      await this.#assertEditable(actor, candidate);
      await this.#safeguard(candidate, actor);
      return candidate;
    } catch (error) {
      await candidate.dispose();
      throw error;
    }
  }

  /**
   * Compares the whole configurations: a change also loads what was edited by hand, in any file.
   * @throws Problem 403 for a value that the role of the author may not change
   */
  async #assertEditable({ role }: Actor, candidate: Application): Promise<void> {
    if (role === undefined || role === 'administrator') return;
    const { current } = this.#host;
    const paths = await runCooperatively(changedPathSteps(comparable(current), comparable(candidate)));
    assertEditable(role, paths, [current, candidate]);
  }
}

/** What a change of the configuration files may change. */
function comparable({ configuration, modules }: Application): ConfigObject {
  return { ...objectOf(configuration.valueAt([])), modules: modules.map(({ name }) => name) };
}
