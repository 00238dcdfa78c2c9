import { existsSync } from 'node:fs';
import setup from './global-setup';
import teardown from './global-teardown';

describe('The temporary folder of a run', () => {
  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  it.each([environment.TMPDIR, undefined])(
    'is created and removed for each run of a process, as of jest --watch (TMPDIR: %s)',
    (former) => {
      if (former === undefined) delete process.env.TMPDIR;
      // Those of the run itself.
      for (const name of ['SPEC_FORMER_TMPDIR', 'SPEC_PATH']) Reflect.deleteProperty(process.env, name);
      const { PATH } = process.env;
      const folders = [1, 2].map(() => {
        setup();
        const folder = process.env.TMPDIR ?? '';
        expect(existsSync(folder)).toBe(true);
        teardown();
        expect([existsSync(folder), process.env.TMPDIR, process.env.PATH]).toEqual([false, former, PATH]);
        return folder;
      });
      expect(new Set(folders).size).toBe(2);
    },
  );
});
