import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestPlatform } from './platform';

interface ReusedPlatform<P, O> {
  /** That of the current test. */
  readonly platform: P;
  /** Starts one with other options, for the rest of the test. */
  restart(options: O): Promise<void>;
  /** For a test that changes what is only in memory: the next one gets a new platform. */
  discard(): void;
}

/** One platform for the tests of a suite, which is replaced after a test that changes its files or configuration. */
export function reusedPlatform<P extends TestPlatform, O>(
  start: (options?: O) => Promise<P>,
): ReusedPlatform<P, O> {
  let reused: P | undefined;
  let application: unknown;
  let files = '';
  let other: P | undefined;
  const stop = async (): Promise<void> => {
    const stopped = reused;
    reused = undefined;
    await stopped?.stop();
  };

  beforeEach(async () => {
    if (reused !== undefined && reused.application === application && filesOf(reused.root) === files) {
      reused.log.lines.length = 0;
      return;
    }
    await stop();
    reused = await start();
    ({ application } = reused);
    files = filesOf(reused.root);
  });
  afterEach(async () => {
    await other?.stop();
    other = undefined;
  });
  afterAll(stop);

  return {
    platform: new Proxy({} as P, { get: (_, name): unknown => Reflect.get(other ?? reused ?? {}, name) }),
    restart: async (options) => {
      await other?.stop();
      other = await start(options);
    },
    discard: () => (files = ''),
  };
}

/** What changes with each change of a file below a folder; links are not followed. */
function filesOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const name = path.join(folder, entry.name);
      const file = lstatSync(name, { throwIfNoEntry: false });
      const own = [name, file?.ino, file?.mode, file?.size, file?.mtimeMs].join();
      return entry.isDirectory() ? `${own}\n${filesOf(name)}` : own;
    })
    .join('\n');
}
