// The capacity of the load generator, with a server that does nothing: an upper limit for all rows.
import { load } from '../measure/load.mjs';
import { watchOthers } from '../measure/processor.mjs';
import { inTurn } from '../measure/requests.mjs';
import { Servers } from '../measure/servers.mjs';
import { table } from '../report/table.mjs';
import { thingRequests } from './json.mjs';

export default {
  name: 'generator',
  title: 'The generator of load',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const { short, connections } = options;
    const servers = new Servers(options);
    try {
      const service = await servers.peer('peers/bare/mute.mjs');
      const ask = (seconds) =>
        load({ port: service.port, connections, seconds, next: inTurn(thingRequests(10)) });
      await ask(short ? 0.1 : 2);
      const others = watchOthers(service);
      const before = service.cpuSeconds();
      const { requests, seconds, failed, p99 } = await ask(short ? 0.15 : 3);
      const row = {
        server: 'node:net, the same bytes to whatever comes',
        'requests/s': Math.round(requests / seconds),
        'p99 ms': p99.toFixed(2),
        'core of the server busy': `${Math.round(((service.cpuSeconds() - before) / seconds) * 100)}%`,
        quiet: others().foreign ? 'no' : 'yes',
      };
      return { text: table([row]), verdicts: [], failed };
    } finally {
      await servers.stop();
    }
  },
};
