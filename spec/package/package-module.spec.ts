import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { blocksOf } from '../factories/documents/documents';
import { makeProject, ROOT } from '../factories/platform';
import { startProcess, type StartedProcess } from '../factories/processes/platform-process';

/** The code of the guide that contains a text. */
const shown = (text: string): string =>
  blocksOf('docs/guides/modules.md').find(({ code }) => code.includes(text))?.code ?? '';

const SHOP = `
  const { defineApi, defineRpcService } = require('apidesc-platform');
  const Clock = defineRpcService({ route: '/clock', methods: { GET: { handler: () => ({ hour: 7 }) } } });
  module.exports = {
    name: 'shop',
    requires: ['hosting'],
    apis: [defineApi({ name: 'Shop', versions: { 1: { services: { Clock } } } })],
  };
`;

describe('a package that exports a module', () => {
  let root: string;
  let service: StartedProcess;
  beforeAll(async () => {
    const folder = 'node_modules/platform-maintenance';
    root = makeProject({
      modules: ['platform-maintenance', './shop.cjs'],
      files: {
        'shop.cjs': SHOP,
        [`${folder}/package.json`]: shown('peerDependencies'),
        [`${folder}/maintenance.mjs`]: shown('fileURLToPath'),
        [`${folder}/templates/service.njk`]: 'The service {{ documentation.getName() }}, in other words.',
      },
    });
    symlinkSync(ROOT, path.join(root, 'node_modules/apidesc-platform'));
    service = await startProcess(root);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(root, { recursive: true });
  });

  it('can replace a template of the platform by its own, next to a module in CommonJS', async () => {
    const page = await fetch(`${service.origin}/platform/documentation/Shop/Clock`, {
      headers: { Accept: 'text/html' },
    });
    expect((await page.text()).trimEnd()).toBe('The service Clock, in other words.');
    expect(await (await fetch(`${service.origin}/clock`)).json()).toEqual({ hour: 7 });
  });
});
