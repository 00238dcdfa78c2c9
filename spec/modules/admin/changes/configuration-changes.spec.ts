import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration, Problem, type ConfigEdit } from '../../../../src/framework';
import type { Actor, Change } from '../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../src/modules/admin/changes/configuration-changes';
import { startTestPlatform } from '../../../factories/platform';
import { reusedPlatform } from '../../../factories/reused-platform';

const ADA: Actor = { name: 'ada', via: 'page' };
const DESCRIPTION = ['platform-hosting', 'apis', 'Atlas', 'description'];

const describing = (text: string): Change => changing([{ path: DESCRIPTION, value: text }]);
const changing = (edits: readonly ConfigEdit[]): Change => ({
  summary: 'Changed something.',
  subject: DESCRIPTION,
  edits,
});

let changes: ConfigurationChanges;
const { platform } = reusedPlatform(startTestPlatform);
beforeEach(() => {
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
});

const file = (): string => path.join(platform.root, LOCAL_FILE);
const local = (): string => readFileSync(file(), 'utf8');
const described = async (): Promise<unknown> => {
  const answer: unknown = await (await platform.request('/platform/documentation/Atlas')).json();
  return (answer as { readonly description: unknown }).description;
};

async function refused(promise: Promise<unknown>): Promise<Problem> {
  const outcome: unknown = await promise.then(
    () => 'it was done',
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw new Error(`No problem, but ${String(outcome)}.`);
}

describe('Applying a change', () => {
  it('writes the file and takes effect from the next request', async () => {
    const { revision, restart } = await changes.apply(describing('New.'), ADA);
    expect(await described()).toBe('New.');
    expect(JSON.parse(local())).toMatchObject({
      'platform-hosting': { apis: { Atlas: { description: 'New.' } } },
    });
    expect(revision).toMatchObject({ number: 1, by: 'ada', summary: 'Changed something.' });
    expect(restart).toEqual([]);
  });

  it('rejects an invalid configuration with the reason, writes nothing, and counts no failed reload', async () => {
    const before = local();
    const change = changing([
      { path: ['platform-mvc-auth', 'authentication', 'map', 'Atlas'], value: 'nobody' },
    ]);
    const problem = await refused(changes.apply(change, ADA));
    expect(problem.status).toBe(422);
    expect(problem.detail).toContain('adapter "nobody" does not exist');
    expect(local()).toBe(before);
    expect(await changes.revisions()).toEqual([]);
    expect(platform.host.reloads).toEqual({ succeeded: 0, failed: 0 });
  });

  it('rejects a value that a higher layer overrides, and names the file', async () => {
    writeFileSync(
      path.join(platform.root, 'config/autoload/zz.local.json'),
      JSON.stringify({ 'platform-hosting': { apis: { Atlas: { description: 'Above.' } } } }),
    );
    const before = local();
    const problem = await refused(changes.apply(describing('New.'), ADA));
    expect(problem.status).toBe(409);
    expect(problem.detail).toContain('config/autoload/zz.local.json');
    expect(local()).toBe(before);
  });

  it('reports the keys that require a restart', async () => {
    const { restart } = await changes.apply(
      changing([{ path: ['server', 'host'], value: '127.0.0.2' }]),
      ADA,
    );
    expect(restart).toEqual(['server.host']);
  });

  it('reports new warnings, not those whose line it has moved', async () => {
    await changes.apply(describing('New.'), ADA);
    const exact = { path: ['platform-mvc-auth', 'throttling', 'exact'], value: true };
    const { warnings } = await changes.apply(changing([exact]), ADA);
    expect(warnings).toEqual([expect.stringMatching(/local\.json:\d+:\d+: .*exact has no effect/)]);
    const longer = changing([{ path: ['platform-hosting', 'timeout'], value: 20 }]);
    expect((await changes.preview(longer, ADA)).warnings).toEqual([]);
    await changes.apply(longer, ADA);
    expect(platform.application.warnings).not.toEqual(expect.arrayContaining([...warnings]));
  });

  it('calls its safeguard before the file is written', async () => {
    const before = local();
    const careful = new ConfigurationChanges(
      platform.host,
      new LocalConfiguration(platform.root),
      (_, actor) => {
        throw new Problem(409, `Not for ${actor.name}.`);
      },
    );
    expect((await refused(careful.apply(describing('New.'), ADA))).detail).toBe('Not for ada.');
    expect(local()).toBe(before);
  });

  it('is rejected with 412 if the subject has changed since it was loaded', async () => {
    const ifMatch = changes.tagOf(DESCRIPTION);
    await changes.apply(describing('First.'), ADA, { ifMatch });
    const problem = await refused(changes.apply(describing('Second.'), ADA, { ifMatch }));
    expect(problem.status).toBe(412);
    expect(await described()).toBe('First.');
  });

  it('is not in conflict with a change of something else', async () => {
    const ifMatch = changes.tagOf(DESCRIPTION);
    await changes.apply(changing([{ path: ['view_manager', 'display_exceptions'], value: true }]), ADA);
    await changes.apply(describing('New.'), ADA, { ifMatch });
    expect(await described()).toBe('New.');
  });

  it('loses no concurrent change', async () => {
    const keys = Array.from({ length: 8 }, (_, at) => `X-Test-${at}`);
    await Promise.all(
      keys.map((key) =>
        changes.apply(
          changing([{ path: ['platform-operations', 'security_headers', key], value: key }]),
          ADA,
        ),
      ),
    );
    const { headers } = await platform.request('/platform/documentation');
    for (const key of keys) expect(headers.get(key)).toBe(key);
    expect(await changes.revisions()).toHaveLength(8);
  });

  it('keeps and activates concurrent manual edits', async () => {
    writeFileSync(
      file(),
      JSON.stringify({ 'platform-operations': { security_headers: { 'X-Hand': 'yes' } } }),
    );
    await changes.apply(describing('New.'), ADA);
    expect((await platform.request('/platform/documentation')).headers.get('x-hand')).toBe('yes');
    expect((await changes.revisions()).map(({ summary }) => summary)).toContain('Changed something.');
  });

  it('reports a folder in place of the file, and the service continues', async () => {
    renameSync(file(), `${file()}.away`);
    mkdirSync(file());
    const problem = await refused(changes.apply(describing('New.'), ADA));
    expect([422, 507]).toContain(problem.status);
    expect(problem.detail).toMatch(/folder|directory|EISDIR/);
    expect((await platform.request('/v1/atlas/countries/DE')).status).toBe(200);
  });
});

describe('A preview', () => {
  it('shows the difference and changes nothing', async () => {
    const before = local();
    const preview = await changes.preview(describing('New.'), ADA);
    expect(preview.difference).toEqual([
      { path: 'platform-hosting.apis.Atlas.description', after: '"New."' },
    ]);
    expect(local()).toBe(before);
    expect(await described()).not.toBe('New.');
  });

  it('returns a tag with which the change is rejected if the file has changed since', async () => {
    const { tag } = await changes.preview(describing('New.'), ADA);
    await changes.apply(changing([{ path: ['view_manager', 'display_exceptions'], value: true }]), ADA);
    expect((await refused(changes.apply(describing('New.'), ADA, { expect: tag }))).status).toBe(412);
  });

  it('masks secrets', async () => {
    const [line] = await changes.texts.difference(
      '{}',
      JSON.stringify({ 'platform-mvc-auth': { password: 'hidden' } }),
    );
    expect(JSON.stringify(line)).not.toContain('hidden');
  });
});

describe('A restoration', () => {
  it('restores the file byte for byte and activates it', async () => {
    const before = local();
    const [original, { revision }] = [await described(), await changes.apply(describing('New.'), ADA)];
    await changes.apply({ summary: 'Undone.', text: revision.before ?? undefined }, ADA);
    expect(local()).toBe(before);
    expect(await described()).toBe(original);
    expect((await changes.revisions()).map(({ summary }) => summary)).toEqual([
      'Undone.',
      'Changed something.',
    ]);
  });

  it('can remove the file', async () => {
    await changes.apply({ summary: 'Gone.', text: undefined }, ADA);
    expect(existsSync(file())).toBe(false);
    await changes.apply(describing('New.'), ADA);
    expect(await described()).toBe('New.');
  });
});

it('reports an unknown revision number', async () => {
  await changes.apply(describing('New.'), ADA);
  const problem = await refused(changes.revision(7));
  expect(problem.status).toBe(404);
  expect(problem.detail).toContain('Available: 1');
});

describe('A reference to an environment variable', () => {
  const ROOT: Actor = { name: 'root', via: 'command' };
  const set = '${PORT}';
  const unset = '${NOBODY_HAS_SET_THIS}';

  it.each(['page', 'api'] as const)(
    'is not added by %s, and no response reveals whether it is set',
    async (via) => {
      const before = local();
      const answers = await Promise.all(
        [set, unset, `Port ${set}.`].map(async (text) => {
          const actor = { name: 'ada', via };
          const [applied, previewed] = [
            await refused(changes.apply(describing(text), actor)),
            await refused(changes.preview(describing(text), actor)),
          ];
          expect(previewed.toJSON()).toEqual(applied.toJSON());
          return [applied.status, applied.detail, applied.extensions];
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
      expect(answers[0]?.[0]).toBe(422);
      expect(JSON.stringify(answers[0])).toContain('config/autoload/local.json by hand');
      expect(local()).toBe(before);
    },
  );

  it.each([
    [['one', unset], '/1'],
    [{ deep: { deeper: unset } }, '/deep/deeper'],
  ])('is detected in %j', async (value, pointer) => {
    const { extensions } = await refused(changes.apply(changing([{ path: DESCRIPTION, value }]), ADA));
    expect(extensions.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it.each(['Costs $5.', '${}', '${1}', '$NAME', '{NAME}'])('is not detected in %j', async (text) => {
    await changes.apply(describing(text), ADA);
    expect(await described()).toBe(text);
  });

  it('is the text itself with two dollar signs', async () => {
    await changes.apply(describing('Set $${PORT}.'), { name: 'ada', via: 'page' });
    expect(await described()).toBe('Set ${PORT}.');
    expect(local()).toContain('"Set $${PORT}."');
  });

  it('is kept where the file has it, restored by an undo, and accepted on the command line', async () => {
    await changes.apply(describing(`At ${set}.`), ROOT);
    expect(await described()).toBe('At 0.');
    await changes.apply(
      changing([
        { path: DESCRIPTION, value: `At ${set}.` },
        {
          path: [...DESCRIPTION.slice(0, -1), 'versions', '1', 'services', 'Country', 'description'],
          value: 'First.',
        },
      ]),
      ADA,
    );
    expect(await described()).toBe('At 0.');
    await changes.apply(describing('Gone.'), ADA);
    const back = { ...describing(`At ${set}.`), isUndoing: true };
    await changes.apply(back, ADA);
    expect(await described()).toBe('At 0.');
  });
});
