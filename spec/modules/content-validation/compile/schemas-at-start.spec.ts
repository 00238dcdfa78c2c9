import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SharedDefinitions } from '../../../../src/modules/content-validation/compile/shared-definitions';
import { Catalogue } from '../../../../src/modules/hosting';
import { ROOT, startTestPlatform } from '../../../factories/platform';

it('the schemas of the modules in config/application.json are valid without the metaschema, which would delay the start', async () => {
  const { modules } = JSON.parse(readFileSync(path.join(ROOT, 'config/application.json'), 'utf8')) as {
    modules: string[];
  };
  const check = jest.spyOn(SharedDefinitions.prototype, 'isObviouslyValid');
  const platform = await startTestPlatform({ modules });
  try {
    const catalogue = await platform.application.services.get(Catalogue);
    // Those of the admin API are compiled when they are read.
    expect(catalogue.operations.length).toBeGreaterThan(100);
    expect(check.mock.calls.length).toBeGreaterThan(100);
    const { results } = check.mock;
    expect(check.mock.calls.filter((_, at) => results[at]?.value !== true)).toEqual([]);
  } finally {
    await platform.stop();
  }
});
