import { setTimeout as wait } from 'node:timers/promises';
import { Nodes } from '../../../../../src/modules/admin/actions/nodes/nodes';
import { startTestPlatform } from '../../../../factories/platform';

describe('The node of a service without a deployment', () => {
  it('has the load since it was last asked', async () => {
    const platform = await startTestPlatform();
    try {
      const nodes = new Nodes(platform.host, '1.0.0');
      const load = async (): Promise<number> => (await nodes.get()).nodes[0]?.load ?? NaN;
      for (const end = performance.now() + 1_100; performance.now() < end;);
      const busy = await load();
      await wait(1_500);
      expect(await load()).toBeLessThan(busy / 2);
    } finally {
      await platform.stop();
    }
  });
});
