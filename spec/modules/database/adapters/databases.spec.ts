import type { Application } from '../../../../src/framework';
import { Databases } from '../../../../src/modules/database/adapters/databases';
import { SqliteAdapter } from '../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import type { Module } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

describe('the databases of an application', () => {
  it('are opened and closed once, also when several parts of it use one at the same time', async () => {
    let opened: readonly Awaited<ReturnType<Databases['kysely']>>[] = [];
    let application: Application | undefined;
    const parts: Module = {
      name: 'parts',
      requires: ['database'],
      async onBootstrap(event) {
        ({ application } = event);
        const databases = await Databases.of(application);
        opened = await Promise.all(['one', 'other'].map((part) => databases.kysely('spare', part)));
      },
    };
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'database'],
      extra: [parts],
      local: {
        'platform-db': {
          adapters: { spare: { adapter: 'SqliteAdapter', options: { file: 'data/spare.sqlite' } } },
        },
      },
    });
    expect(opened).toHaveLength(2);
    expect(application?.dependencies.map(({ name }) => name)).toEqual(['database spare']);
    await platform.stop();
    for (const db of opened)
      await expect(db.selectNoFrom((one) => one.val(1).as('one')).execute()).rejects.toThrow(/is closed/);
  });

  it.each([false, true])(
    'are not waited for at the start if they have a snapshot: %s',
    async (hasSnapshot) => {
      const introspect = jest.spyOn(SqliteAdapter.prototype, 'introspect');
      const parts: Module = {
        name: 'parts',
        requires: ['database'],
        async onBootstrap({ application }) {
          const databases = await Databases.of(application);
          await databases.model('spare', 'a part');
        },
      };
      const platform = await startTestPlatform({
        modules: [...HOSTING, 'database'],
        extra: [parts],
        files: hasSnapshot ? { 'config/db/spare.json': '{"tables":{}}' } : {},
        local: {
          'platform-db': {
            adapters: { spare: { adapter: 'SqliteAdapter', options: { file: 'data/spare.sqlite' } } },
          },
        },
      });
      await platform.stop();
      expect(introspect.mock.calls).toEqual([[{ mayBlock: !hasSnapshot }]]);
      introspect.mockRestore();
    },
  );
});
