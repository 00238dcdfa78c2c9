import {
  ConfigurationError,
  editInSteps,
  editText,
  runCooperatively,
  withoutSchemaKey,
  type ApplicationHost,
  type ConfigObject,
  type JsonFile,
} from '../../../framework';
import { secretsOf } from '../actions/adapters/adapter-kinds';
import type { Change, Restoration } from './change';
import { changedPathSteps, differenceSteps, displayPath, type DifferenceLine } from './comparison/difference';

/** Parses, compares and edits texts of `config/autoload/local.json` in steps, between which other requests are served. */
export class LocalFileTexts {
  readonly #host: ApplicationHost;

  constructor(host: ApplicationHost) {
    this.#host = host;
  }

  /** @throws ConfigurationError for invalid text */
  async parse(text: string): Promise<JsonFile> {
    return await this.#host.parseLocal(text);
  }

  /** Treats invalid text as empty: a restoration may be what repairs it. */
  async parsed(text: string | null | undefined): Promise<ConfigObject> {
    if (text === undefined || text === null) return {};
    try {
      return withoutSchemaKey((await this.parse(text)).value);
    } catch (error) {
      if (error instanceof ConfigurationError) return {};
      throw error;
    }
  }

  /** Compares two texts; secrets are masked. */
  async difference(
    before: string | null | undefined,
    after: string | null | undefined,
  ): Promise<readonly DifferenceLine[]> {
    const [lower, upper] = [await this.parsed(before), await this.parsed(after)];
    const isSecret = await secretsOf(this.#host.current);
    return await runCooperatively(differenceSteps(lower, upper, isSecret));
  }

  /** Returns the paths of the values that differ, as displayed. */
  async changedPaths(
    before: string | null | undefined,
    after: string | null | undefined,
  ): Promise<readonly string[]> {
    const [lower, upper] = [await this.parsed(before), await this.parsed(after)];
    return (await runCooperatively(changedPathSteps(lower, upper))).map(displayPath);
  }

  /**
   * Returns the text with a change; undefined to remove the file.
   * @param text undefined without the file
   * @throws ConfigurationError for invalid text
   */
  async changed(text: string | undefined, change: Change | Restoration): Promise<string | undefined> {
    if (!('edits' in change)) return change.text;
    const before = text ?? editText(undefined, []);
    return await runCooperatively(editInSteps(before, await this.parse(before), change.edits));
  }
}
