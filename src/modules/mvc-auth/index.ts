import { ContainerModule } from 'inversify';
import type { BootstrapEvent, ConfigTree, Module } from '../../framework';
import { AccessRules } from './access-rules';
import { AuthListeners } from './auth-listeners';
import { Guards } from './guards';
import { HttpAdapterFactory, NonceState } from './http-adapter-factory';
import { openAdapters } from './open-adapters';
import { Policies } from './policies';
import { Throttle, ThrottleState } from './throttling/throttle';
import { MVC_AUTH_KEY, mvcAuthDefaults, mvcAuthSettings } from './settings';

export { AccessRules, isPolicyRule, mayRefuseUsers, needsUser, permits } from './access-rules';
export type {
  AuthenticationAdapter,
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from './adapter';
export { AuthenticationEvent, AuthorizationEvent, hasOwnAuthentication } from './auth-events';
export {
  type AdapterContext,
  type AdapterFactory,
  isAdapterFactory,
  type OpenAdapter,
} from './adapter-factory';
export { type AdapterDescription, Guard } from './guard';
// What it adds to the framework's types, for those who import the package.
export type {} from './auth-listeners';
export { Guards } from './guards';
export { Policies } from './policies';
export type {
  AuthorizationPolicy,
  OperationPolicy,
  PolicyContext,
  PolicyDecision,
  PolicyOperation,
} from './policy';
export { AuthenticatedIdentity, guest, isIdentity, type Identity } from './identity';
export { type AccessRule, accessRule, httpAdapterSettings, MVC_AUTH_KEY, mvcAuthSettings } from './settings';
export { registerHtdigest } from './command-line/htdigest';
export { registerHtpasswd } from './command-line/htpasswd';
// For who lets people edit adapters and password files.
export { describeTable as describeDigestTable } from './http/digest/open-digest';
export { BasicScheme } from './http/basic/basic-scheme';
export { parseCredentials } from './http/credentials';
export { type HttpAdapterOptions, optionFaults, type OptionFault } from './http/http-adapter-options';
export { changePasswordFile } from './password-files/change-password-file';
export { digestRealms, readDigestTable, type DigestTable } from './password-files/digest-table';
export { removeDigestUser, setDigestPassword } from './password-files/digest-users';
export { readGroupTable } from './password-files/group-table';
export { BCRYPT_COST } from './password-files/hashes/bcrypt-hash';
export { describeProblems } from './password-files/lines';
export { HashingOverloadError, HashingQueue } from './password-files/hashing-queue';
export { checkBcryptPassword, checkName } from './password-files/names';
export { PasswordEditError } from './password-files/password-edit-error';
export { readPasswordTable } from './password-files/password-table';
export { passwordLine, removePasswordUser, setPasswordLine } from './password-files/password-users';
export { PasswordVerifier } from './password-files/password-verifier';
export { VerifiedCredentials } from './password-files/verified-credentials';
export { Throttle } from './throttling/throttle';
export { trySignIn, type SignInTrial } from './sign-in-trial';

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
    const guards = new Guards(
      await openAdapters(application),
      settings.authentication.map,
      (key) => where('authentication', 'map', key),
      (key) => configuration.isDefault([MVC_AUTH_KEY, 'authentication', 'map', key]),
    );
    services.set(Guards, guards);
    services.set(
      AccessRules,
      new AccessRules(settings.authorization, (path) => where('authorization', ...path)),
    );
    services.set(Policies, new Policies(services));
    const throttle = new Throttle(
      settings.throttling,
      lasting.keep(ThrottleState, () => new ThrottleState()),
    );
    services.set(Throttle, throttle);
    events.attachGroup(new AuthListeners(throttle));
  }
}
