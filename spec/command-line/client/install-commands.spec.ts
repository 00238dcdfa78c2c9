import { installCommands } from '../../../src/command-line/client/install-commands';

const versionOf = (name: string): string => (name === 'openapi-fetch' ? '0.2.0' : '1.0.0');
const both = ['openapi-typescript', 'openapi-fetch'];
/** The client imports the first when it runs, where `npm ci --omit=dev` has installed the packages. */
const INSTALL = ['npm install openapi-fetch@0.2.0', 'npm install --save-dev openapi-typescript@1.0.0'];
const SET = 'npm pkg set "overrides.openapi-typescript.typescript=>=5 <7"';

it.each([
  [undefined, false, INSTALL],
  ['5.9.3', false, INSTALL],
  ['6.0.3', false, [SET, ...INSTALL]],
  ['6.0.3', true, INSTALL],
  ['7.0.2', true, [`mkdir api-client && cd api-client && npm init --yes && ${INSTALL.join(' && ')}`]],
])('with TypeScript %s, overridden: %s, are %j', (version, isOverridden, expected) => {
  expect(installCommands(both, versionOf, { version, isOverridden })).toEqual(expected);
});

it('need nothing of TypeScript without the generator', () => {
  expect(installCommands(['openapi-fetch'], versionOf, { version: '7.0.2', isOverridden: false })).toEqual([
    'npm install openapi-fetch@0.2.0',
  ]);
});
