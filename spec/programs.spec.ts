import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './factories/platform';
import { run } from './factories/processes/processes';
import { executableOf } from './factories/processes/programs';

describe('an undeclared program', () => {
  it('is hidden, and the error says how to declare it', async () => {
    const { code, output } = await run('sh', ['-c', 'curl --version']);
    expect({ code, output }).toEqual({
      code: 127,
      output:
        "curl is not declared. Declare it in the spec: withPrograms('curl'); see spec/factories/processes/programs.ts.\n",
    });
    expect(() => executableOf('chromium')).toThrow("call withPrograms('chromium')");
  });
});

describe('the report of skipped suites', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skipped-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const report = async (skips: readonly object[]): Promise<unknown> => {
    const [results, missing] = [path.join(folder, 'jest.json'), path.join(folder, 'skips.jsonl')];
    const assertionResults = [{ status: 'pending' }, { status: 'pending' }, { status: 'passed' }];
    const name = path.join(ROOT, 'spec/tour.spec.ts');
    writeFileSync(results, JSON.stringify({ testResults: [{ name, assertionResults }] }));
    writeFileSync(missing, skips.map((one) => `${JSON.stringify({ testPath: name, ...one })}\n`).join(''));
    const script = `import { skippedSuites } from ${JSON.stringify(path.join(ROOT, 'scripts/tests/skipped-suites.mjs'))};
      console.log(JSON.stringify(skippedSuites(...process.argv.slice(1))));`;
    const { output } = await run(process.execPath, ['--input-type=module', '-e', script, results, missing]);
    return JSON.parse(output);
  };

  it('names suites, programs, and the command that installs them', async () => {
    expect(await report([{ missing: ['http'] }, { missing: ['curl', 'htpasswd'] }])).toEqual({
      lines: [
        '',
        'Skipped, because programs are missing:',
        '  spec/tour.spec.ts: 2 tests, without curl, htpasswd, http',
        'To run them too, on Debian or Ubuntu: apt-get install apache2-utils curl httpie',
        '',
      ],
      unexplained: 0,
    });
  });

  it('counts the suites that were skipped for another reason', async () => {
    expect(await report([])).toEqual({
      lines: ['spec/tour.spec.ts: 2 tests skipped without a missing program. None may be: remove the skip.'],
      unexplained: 2,
    });
  });
});
