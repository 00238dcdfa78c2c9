import { LocalConfiguration } from '../../../../src/framework';
import type { Actor } from '../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../src/modules/admin/changes/configuration-changes';
import { WITH_ADMIN } from '../../../factories/admin/admin';
import { startTestPlatform } from '../../../factories/platform';

const ADA: Actor = { name: 'ada', via: 'page' };

describe('A configuration change', () => {
  it('is logged and reported to observers of the application that it activates', async () => {
    const observed: unknown[] = [];
    const platform = await startTestPlatform({
      modules: WITH_ADMIN,
      extra: [
        {
          name: 'auditor',
          onBootstrap: ({ application }) => {
            application.observers.observe('changed', (change) => {
              observed.push([
                change,
                platform.application.configuration.valueAt(['server', 'shutdown_timeout']),
              ]);
            });
          },
        },
      ],
    });
    const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
    const path = ['server', 'shutdown_timeout'];
    const change = { summary: 'Waits longer.', subject: path, edits: [{ path, value: 20 }] };
    await changes.preview(change, ADA);
    expect(observed).toEqual([]);
    await changes.apply(change, ADA);
    // Nothing is left to change.
    await changes.apply(change, ADA);
    await platform.stop();
    expect(observed).toEqual([[{ actor: ADA, summary: 'Waits longer.', revision: 1 }, 20]]);
    expect(platform.log.lines).toContainEqual({
      level: 'info',
      message: 'Waits longer.',
      details: { module: 'admin', by: 'ada', via: 'page', revision: 1 },
    });
  });
});
