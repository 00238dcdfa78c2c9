import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SharedDefinitions } from '../../../src/modules/content-validation/shared-definitions';
import { ROOT, startTestPlatform } from '../../factories/platform';

it('the schemas of the modules in config/application.json are valid without the metaschema, which would delay the start', async () => {
  const { modules } = JSON.parse(readFileSync(path.join(ROOT, 'config/application.json'), 'utf8')) as {
    modules: string[];
  };
  const check = jest.spyOn(SharedDefinitions.prototype, 'isObviouslyValid');
  const platform = await startTestPlatform({ modules });
  try {
    expect(check.mock.calls.length).toBeGreaterThan(100);
    const { results } = check.mock;
    expect(check.mock.calls.filter((_, at) => results[at]?.value !== true)).toEqual([]);
  } finally {
    await platform.stop();
  }
});
