import { ContainerModule } from 'inversify';
import type { BootstrapEvent, ConfigTree, Module } from '../../framework';
import { AccessRules } from './access-rules';
import { AuthListeners } from './auth-listeners';
import { Guards } from './guards';
import { HttpAdapterFactory, NonceState } from './http-adapter-factory';
import { openAdapters } from './open-adapters';
import { MVC_AUTH_KEY, mvcAuthDefaults, mvcAuthSettings } from './settings';

export { AccessRules, needsUser, permits } from './access-rules';
export type { AuthenticationAdapter, AuthenticationRequest, AuthenticationResult } from './adapter';
export type { AdapterContext, AdapterFactory, OpenAdapter } from './adapter-factory';
export { type AdapterDescription, Guard } from './guard';
export { Guards } from './guards';
export { guest, type Identity } from './identity';
export type { AccessRule } from './settings';
export { registerHtdigest } from './command-line/htdigest';
export { registerHtpasswd } from './command-line/htpasswd';

/** Who asks, and whether they may: adapters, the map of APIs to adapters, rules. */
export default class MvcAuthModule implements Module {
  readonly name = 'mvc-auth';
  readonly defaults: ConfigTree = mvcAuthDefaults;
  readonly schemas = { [MVC_AUTH_KEY]: mvcAuthSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind('HttpAdapter').toResolvedValue((state: NonceState) => new HttpAdapterFactory(state), [NonceState]);
  });

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, events, lasting } = application;
    services.set(
      NonceState,
      lasting.keep(NonceState, () => new NonceState()),
    );
    const settings = configuration.section(MVC_AUTH_KEY, mvcAuthSettings);
    const guards = new Guards(await openAdapters(application), settings.authentication.map, (key) => {
      const path = [MVC_AUTH_KEY, 'authentication', 'map', key];
      return `${configuration.sourceOf(path)}: ${path.join('.')}`;
    });
    services.set(Guards, guards);
    services.set(AccessRules, new AccessRules(settings.authorization));
    events.attachGroup(new AuthListeners());
    events.attach('shutdown', () => guards.dispose());
  }
}
