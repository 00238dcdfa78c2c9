import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { requestEvents } from '../../src/framework';
import { startUnclaimed } from '../factories/admin/admin';
import { ROOT, sampleAuthentication, type TestPlatform } from '../factories/platform';

const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

describe('CONTRIBUTING.md', () => {
  it('names files by their paths from the root of the repository', () => {
    const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g)].map(([, name = '']) => name);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
  });

  describe('on the request lifecycle', () => {
    let platform: TestPlatform;
    beforeAll(async () => {
      platform = await startUnclaimed({
        // CORS listeners are attached only where an API declares it.
        local: {
          ...sampleAuthentication,
          'platform-hosting': { apis: { Atlas: { cors: { origins: ['https://example.org'] } } } },
        },
      });
    }, 60_000);
    afterAll(() => platform.stop());

    it('lists the event and priority of every built-in listener, in calling order', () => {
      const attached = platform.application.events.describe();
      const actual = requestEvents.flatMap((event) =>
        attached.filter((one) => one.event === event).map(({ priority }) => `${event} ${priority}`),
      );
      const rows = [...text.matchAll(/^\| (\w+) +\| (-?\d+) +\|/gm)];
      expect(rows.map(([, event = '', priority = '']) => `${event} ${priority}`)).toEqual([
        ...new Set(actual),
      ]);
    });
  });
});
