import { connect } from 'node:net';
import { ContainerModule } from 'inversify';
import { JsonModel, type Module, type Steps } from '../../../src/framework';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { until } from '../../factories/until';

const STEPS = 400;

/** Renders slowly, in steps of five milliseconds. */
class SlowModel extends JsonModel {
  static override readonly cacheable = true;
  static steps = 0;
  static ended = 0;

  override *serializeInSteps(): Steps<unknown> {
    try {
      for (let step = 0; step < STEPS; step++) {
        SlowModel.steps += 1;
        const end = performance.now() + 5;
        while (performance.now() < end);
        yield;
      }
      return { slow: true };
    } finally {
      SlowModel.ended += 1;
    }
  }
}

const slow: Module = {
  name: 'slow',
  services: new ContainerModule(({ bind }) => void bind('SlowModel').toConstantValue(SlowModel)),
};

describe('A rendering of a replaced application', () => {
  let platform: TestPlatform;
  beforeEach(async () => {
    [SlowModel.steps, SlowModel.ended] = [0, 0];
    platform = await startTestPlatform({
      extra: [slow],
      local: {
        'platform-content-negotiation': {
          selectors: { Documentation: { SlowModel: ['application/slow+json'] } },
        },
      },
    });
  });
  afterEach(() => platform.stop());

  it('is cancelled if no request waits for it', async () => {
    const { hostname, port } = new URL(platform.origin);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /platform/documentation?format=slow HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await until(() => SlowModel.steps > 0);
    socket.destroy();
    await platform.host.reload();
    await until(() => SlowModel.ended === 1);
    expect(SlowModel.steps).toBeLessThan(STEPS);
    expect(platform.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is completed for waiting requests', async () => {
    const answer = platform.request('/platform/documentation?format=slow');
    await until(() => SlowModel.steps > 0);
    await platform.host.reload();
    expect(await (await answer).json()).toEqual({ slow: true });
    expect(SlowModel.steps).toBe(STEPS);
  });
});
