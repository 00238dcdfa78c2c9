import { LocalConfiguration } from '../../../../../src/framework';
import {
  DocumentationTexts,
  visibilitiesOf,
} from '../../../../../src/modules/admin/actions/texts/documentation-texts';
import type { EditableVisibility } from '../../../../../src/modules/admin/actions/texts/documented-visibility';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import {
  ALL_MODULES,
  sampleAuthentication,
  startTestPlatform,
  type TestPlatform,
} from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';

const COUNTRY = '/versions/1/services/Country/visibility';

let platform: TestPlatform;
let texts: DocumentationTexts;
let changes: ConfigurationChanges;
const start = async (
  files: Readonly<Record<string, string>> = {},
  modules: readonly string[] = ALL_MODULES,
): Promise<void> => {
  platform = await startTestPlatform({ files, modules });
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  texts = new DocumentationTexts(changes);
};
afterEach(() => platform.stop());

const change = async (key: string, visibility: string | undefined): Promise<unknown> =>
  changes.apply(await texts.prepareChange('Atlas', 1, new Map(), new Map([[key, visibility]])), {
    name: 'ada',
    via: 'command',
  });
const at = async (key: string): Promise<EditableVisibility | undefined> =>
  visibilitiesOf(await texts.get('Atlas', 1)).find((one) => one.key === key);

describe('The documentation visibility of an API and its services', () => {
  it('is shown with its source', async () => {
    await start();
    const view = await texts.get('Atlas', 1);
    expect(visibilitiesOf(view).map(({ key }) => key)).toEqual([
      '/visibility',
      ...view.services.map(({ name }) => `/versions/1/services/${name}/visibility`),
    ]);
    expect(await at(COUNTRY)).toMatchObject({
      own: undefined,
      effective: 'public',
      source: 'the module "atlas"',
    });
  });

  it('can be changed and unset, which restores the lower layer', async () => {
    const apis = { Atlas: { versions: { 1: { services: { Country: { visibility: 'authenticated' } } } } } };
    const global = JSON.stringify({ 'platform-hosting': { apis } });
    await start({ 'config/autoload/global.json': global });
    expect(await at(COUNTRY)).toMatchObject({ own: 'authenticated', effective: 'authenticated' });
    await change(COUNTRY, 'public');
    expect(await at(COUNTRY)).toMatchObject({ own: 'public', effective: 'public' });
    await change(COUNTRY, undefined);
    expect(await at(COUNTRY)).toMatchObject({ own: undefined, effective: 'public' });
  });

  it('reports whether users could sign in to read the documentation if it were hidden', async () => {
    await start();
    expect(await at('/visibility')).toMatchObject({ isReadableIfHidden: false });
    expect(await at(COUNTRY)).toMatchObject({ isReadableIfHidden: false });
    await platform.stop();
    const authentication = { map: { '@documentation': 'atlas-basic' } };
    await start({
      'config/autoload/global.json': JSON.stringify(sampleAuthentication),
      'config/autoload/map.global.json': JSON.stringify({ 'platform-mvc-auth': { authentication } }),
    });
    expect(await at('/visibility')).toMatchObject({ isReadableIfHidden: true });
    expect(await at(COUNTRY)).toMatchObject({ isReadableIfHidden: true });
  });

  it('knows readers who sign in with OpenID Connect', async () => {
    const openid = { issuer: 'https://login.example', client_id: 'platform', documentation: true };
    const global = JSON.stringify({ 'platform-openid': openid });
    await start({ 'config/autoload/global.json': global }, [...ALL_MODULES, 'openid']);
    expect(await at('/visibility')).toMatchObject({ isReadableIfHidden: true });
    expect(await at(COUNTRY)).toMatchObject({ isReadableIfHidden: true });
  });

  it('is not written if it equals the effective value', async () => {
    await start();
    for (const visibility of [undefined, 'public']) await change('/visibility', visibility);
    expect(
      await texts.prepareChange('Atlas', 1, new Map(), new Map([['/visibility', 'public']])),
    ).toMatchObject({
      edits: [],
    });
  });

  it.each([
    ['/visibility', 'hidden', '"hidden" is not a visibility. Allowed values: public, authenticated.'],
    ['/visibility', '', '"" is not a visibility. Allowed values: public, authenticated.'],
    ['/description', 'public', 'Unknown API or service.'],
    ['/__proto__/visibility', 'public', 'Unknown API or service.'],
  ])('is rejected at %s as %j', async (key, visibility, message) => {
    await start();
    const problem = await rejectionOf(() =>
      texts.prepareChange('Atlas', 1, new Map(), new Map([[key, visibility]])),
    );
    expect([problem.status, problem.extensions.errors]).toEqual([422, [{ pointer: key, message }]]);
  });

  it('cannot be unset if a higher layer defines it', async () => {
    const apis = { Atlas: { visibility: 'authenticated' } };
    await start({ 'config/autoload/z.local.json': JSON.stringify({ 'platform-hosting': { apis } }) });
    const problem = await rejectionOf(() =>
      texts.prepareChange('Atlas', 1, new Map(), new Map([['/visibility', undefined]])),
    );
    expect([problem.status, problem.detail]).toEqual([
      409,
      expect.stringContaining('config/autoload/z.local.json') as string,
    ]);
  });
});
