import { Type } from '@sinclair/typebox';
import { ContainerModule } from 'inversify';
import type { ConfigObject, Module } from '../../../../src/framework';
import type { AdapterFactory } from '../../../../src/platform';
import { configure } from '../../../factories/configure';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

/** Adapters that record which of them are open. */
class Counting implements AdapterFactory {
  readonly settings = Type.Object({});
  readonly opened: string[] = [];

  open(name: string): ReturnType<AdapterFactory['open']> {
    this.opened.push(name);
    return Promise.resolve({
      adapter: {
        name,
        schemes: ['Counting'],
        takes: () => false,
        authenticate: () => ({ outcome: 'refused', stale: false }) as const,
        challenges: () => ['Counting'],
        warnings: [],
        dispose: () => {
          this.opened.splice(this.opened.indexOf(name), 1);
        },
      },
      description: { name, realm: 'Counting', schemes: [] },
    });
  }
}

/** What it opens has no description. */
class Undescribed extends Counting {
  override open(name: string): ReturnType<AdapterFactory['open']> {
    return super
      .open(name)
      .then(({ adapter }) => ({ adapter }) as Awaited<ReturnType<AdapterFactory['open']>>);
  }
}

describe('the adapters of an application whose build fails', () => {
  const counting = new Counting();
  const undescribed = new Undescribed();
  const module: Module = {
    name: 'counting',
    requires: ['mvc-auth'],
    services: new ContainerModule(({ bind }) => {
      bind('Counting').toConstantValue(counting);
      bind('Undescribed').toConstantValue(undescribed);
    }),
  };
  const adapters: ConfigObject = {
    first: { adapter: 'Counting', options: {} },
    second: { adapter: 'Counting', options: {} },
  };
  const missing: ConfigObject = {
    adapter: 'HttpAdapter',
    options: { accept_schemes: ['basic'], realm: 'Club', htpasswd: 'none.htpasswd' },
  };
  const local = (authentication: ConfigObject): ConfigObject => ({ 'platform-mvc-auth': { authentication } });

  it.each([
    ['a later adapter', local({ adapters: { ...adapters, third: missing } }), 'none.htpasswd'],
    ['the map', local({ adapters, map: { '*': 'fourth' } }), 'adapter "fourth" does not exist'],
    [
      'a later module',
      { ...local({ adapters }), view_manager: { strategies: ['Nothing'] } },
      'no module binds a view strategy named "Nothing"',
    ],
  ])('are closed again when %s is invalid', async (_, wrong, message) => {
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra: [module],
      local: local({ adapters }),
    });
    expect(counting.opened).toEqual(['first', 'second']);
    configure(platform.root, wrong);
    await expect(platform.host.reload()).rejects.toThrow(message);
    expect(counting.opened).toEqual(['first', 'second']);
    await platform.stop();
    expect(counting.opened).toEqual([]);
    await expect(startTestPlatform({ modules: HOSTING, extra: [module], local: wrong })).rejects.toThrow(
      message,
    );
    expect(counting.opened).toEqual([]);
  });

  it('are closed again if they are incomplete themselves', async () => {
    const wrong = local({ adapters: { ...adapters, third: { adapter: 'Undescribed', options: {} } } });
    await expect(startTestPlatform({ modules: HOSTING, extra: [module], local: wrong })).rejects.toThrow(
      'What Undescribed opens lacks description.',
    );
    expect([...counting.opened, ...undescribed.opened]).toEqual([]);
  });
});
