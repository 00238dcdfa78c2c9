import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsedSteps } from '../../../../../src/modules/admin/accounts/second-factor/used-steps';

describe('The time steps of one-time passwords', () => {
  let folder: string;
  let steps: UsedSteps;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'steps-'));
    steps = new UsedSteps(path.join(folder, 'administrators.htpasswd'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('are used up to the last one, in whichever order they are recorded', async () => {
    await steps.add('secret', 100);
    await steps.add('secret', 99);
    expect(await steps.isLater('secret', 100)).toBe(false);
    expect(await steps.isLater('secret', 101)).toBe(true);
    expect(await steps.isLater('other', 100)).toBe(true);
  });

  it('do not count after a clock that was ahead has been corrected', async () => {
    const day = 2_880;
    await steps.add('secret', 100 + day);
    await steps.add('other', 101 + day);
    expect(await steps.isLater('secret', 100)).toBe(true);
    await steps.add('secret', 100);
    expect(await steps.isLater('secret', 100)).toBe(false);
    expect(await steps.isLater('secret', 101)).toBe(true);
    expect(await steps.isLater('other', 101)).toBe(true);
  });
});
