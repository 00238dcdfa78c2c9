import { ContainerModule } from 'inversify';
import type { BootstrapEvent, ConfigTree, Module } from '../../framework';
import { AccessRules } from './access-rules';
import { AuthListeners } from './auth-listeners';
import { Guards } from './guards';
import { HttpAdapterFactory, NonceState } from './http-adapter-factory';
import { openAdapters } from './open-adapters';
import { Throttle, ThrottleState } from './throttling/throttle';
import { MVC_AUTH_KEY, mvcAuthDefaults, mvcAuthSettings } from './settings';

export { AccessRules, needsUser, permits } from './access-rules';
export type {
  AuthenticationAdapter,
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from './adapter';
export { AuthenticationEvent, AuthorizationEvent } from './auth-events';
export type { AdapterContext, AdapterFactory, OpenAdapter } from './adapter-factory';
export { type AdapterDescription, Guard } from './guard';
// What it adds to the framework's types, for those who import the package.
export type {} from './auth-listeners';
export { Guards } from './guards';
export { AuthenticatedIdentity, guest, type Identity } from './identity';
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
    const where = (...below: readonly string[]): string => {
      const path = [MVC_AUTH_KEY, ...below];
      return `${configuration.sourceOf(path)}: ${path.join('.')}`;
    };
    const guards = new Guards(await openAdapters(application), settings.authentication.map, (key) =>
      where('authentication', 'map', key),
    );
    services.set(Guards, guards);
    services.set(
      AccessRules,
      new AccessRules(settings.authorization, (path) => where('authorization', ...path)),
    );
    const throttle = new Throttle(
      settings.throttling,
      lasting.keep(ThrottleState, () => new ThrottleState()),
    );
    events.attachGroup(new AuthListeners(throttle));
    events.attach('shutdown', () => guards.dispose());
  }
}
