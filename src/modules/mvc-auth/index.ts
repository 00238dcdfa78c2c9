import { ContainerModule } from 'inversify';
import {
  Application,
  Deployment,
  type BootstrapEvent,
  type ConfigObject,
  type Module,
} from '../../framework';
import { ApiKeyAdapterFactory } from './api-keys/api-key-factory';
import { AccessRules } from './authorization/access-rules';
import { effectiveMap, unmappedAdapterWarnings } from './adapters/adapter-map';
import { AuthListeners } from './auth-listeners';
import { Guards } from './adapters/guards';
import { HttpAdapterFactory } from './http-adapter/http-adapter-factory';
import { IntrospectionAdapterFactory } from './bearer/introspection/introspection-adapter-factory';
import { JwtAdapterFactory } from './bearer/jwt/jwt-adapter-factory';
import { KnownKeySets } from './bearer/keys/known-key-sets';
import { openAdapters } from './adapters/open-adapters';
import { HashingQueue } from './passwords/hashing-queue';
import { PasswordHashing } from './passwords/password-hashing';
import { Policies } from './authorization/policies';
import { Throttle } from './throttling/throttle';
import { ThrottleState } from './throttling/throttle-state';
import { RateLimitState } from './throttling/usage/rate-limit-state';
import { MVC_AUTH_KEY, mvcAuthDefaults, mvcAuthSettings } from './settings';

export { loneAdapter } from './adapters/adapter-map';
export { type Claims, hasValidDates, nameIssue, subjectOf } from './bearer/claims';
export { endpointIssue } from './bearer/endpoint';
export { readBounded } from './bearer/fetch-json';
export { AccessRules } from './authorization/access-rules';
export {
  type AccessRule,
  accessRule,
  isPolicyRule,
  mayRefuseUsers,
  requiresUser,
  permits,
  permittingEntry,
  scopesIn,
} from './authorization/access-rule';
export type { AuthenticationAdapter, KnownUser, RequestOrigin } from './adapters/adapter';
export type { CredentialLocation, SentCredential } from './http/credential-location';
export { AuthenticationUnavailable } from './http/authentication-unavailable';
export { type OAuthFlow, type SecurityScheme, securitySchemesOf } from './adapters/security-scheme';
export type {
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from './http/authentication';
export {
  AuthenticationEvent,
  AuthorizationEvent,
  hasCustomAuthentication,
  hasCustomAuthorization,
} from './auth-events';
export {
  type AdapterContext,
  type AdapterFactory,
  isAdapterFactory,
  type OpenAdapter,
} from './adapters/adapter-factory';
export { type AdapterDescription, Guard, type RealmAdapter, type Refusal } from './adapters/guard';
export type { CredentialLocations } from './adapters/credential-locations';
// The type augmentations of the framework, for users of the package.
export type {} from './auth-listeners';
export { Guards, isStaticFilesKey, STATIC_FILES } from './adapters/guards';
export { guestRefusal } from './authorization/refusal';
export {
  type AccessEvaluation,
  type AccessTarget,
  type AssumedClient,
  evaluateAccess,
} from './authorization/evaluate-access';
export { decideByRule, ruleOf } from './authorization/decision';
export { Policies } from './authorization/policies';
export type {
  AuthorizationPolicy,
  OperationPolicy,
  PolicyContext,
  PolicyDecision,
  PolicyOperation,
} from './authorization/policy';
export { AuthenticatedIdentity, guest, isIdentity, type Identity } from './identity';
export { httpAdapterSettings } from './http-adapter/http-adapter-settings';
export { MVC_AUTH_KEY, mvcAuthSettings } from './settings';
export type { CommandIo, FilePublisher } from './command-line/command-io';
export { registerHtdigest } from './command-line/htdigest';
export { registerHtpasswd } from './command-line/htpasswd';
export { registerKey } from './command-line/key';
export { runCommand as runPasswordCommand } from './command-line/command-io';
export { readNewPassword, readPassword } from './command-line/password-input';
export type { EditableUsers } from './users/editing/editable-users';
export { openEditableUsers } from './users/editing/open-editable-users';
// For editing adapters, password files and key files.
export { markConfiguredSecrets, markSecretOptions } from './adapters/secret-options';
export { flushKeyUses } from './api-keys/api-key-adapter';
export { apiKeySettings } from './api-keys/api-key-settings';
export {
  addKey,
  type CreatedKey,
  findKey,
  type KeyRequest,
  listKeys,
  newKey,
  removeKey,
} from './api-keys/edit-keys';
export { isUrl } from './bearer/jwt/options';
export { parseExpiry } from './api-keys/expiry';
export { DEFAULT_PREFIX } from './api-keys/key-format';
export { type LastUses, readLastUses, withSharedUses } from './api-keys/key-usage';
export type { KeyRateLimit, StoredKey } from './api-keys/stored-key';
export { describeTable as describeDigestTable } from './http-adapter/open-digest';
export { readBasicCredentials } from './http/basic/basic-credentials';
export { BasicScheme } from './http/basic/basic-scheme';
export type { DigestSource, GroupSource, PasswordClient, PasswordSource } from './http/credential-source';
export { parseCredentials } from './http/credentials';
export { optionIssues } from './http-adapter/option-issues';
export type { HttpAdapterOptions, OptionIssue } from './http-adapter/options';
export { withAdapterName } from './http-adapter/auth-configuration-error';
export type { EditedFile } from './password-files/editing/edit-password-file';
export { changePasswordFile } from './password-files/editing/change-password-file';
export { digestRealms, readDigestTable, type DigestTable } from './password-files/digest-table';
export {
  digestAlgorithmsFor,
  digestLines,
  digestSecrets,
  removeDigestUser,
  replaceDigestUser,
} from './password-files/editing/digest-users';
export { DIGEST_ALGORITHMS, type DigestAlgorithm } from './http/digest/digest-algorithm';
export { describeLostAlgorithms } from './password-files/editing/lost-algorithms';
export { readGroupTable } from './password-files/group-table';
export { BCRYPT_COST } from './passwords/hashes/bcrypt-hash';
export { describeLineIssues } from './password-files/lines';
export { PasswordHashing } from './passwords/password-hashing';
export { checkBcryptPassword, checkName } from './password-files/names';
export { PasswordEditError } from './password-files/editing/password-edit-error';
export { readPasswordTable, type PasswordTable } from './password-files/password-table';
export { PasswordTableStore } from './password-files/password-table-store';
export { findUnrecognizedLine } from './password-files/editing/unrecognized-line';
export { passwordLine, removePasswordUser, setPasswordLine } from './password-files/editing/password-users';
export { PasswordVerifier } from './passwords/password-verifier';
export { Throttle } from './throttling/throttle';
export { ThrottleState } from './throttling/throttle-state';
export type { ClientUsage } from './throttling/usage/client-usage';
export { RateLimitState, type UsedLimit } from './throttling/usage/rate-limit-state';
export type { Quota } from './throttling/usage/sliding-window';
export { type FailureChange, FailureCounts } from './throttling/failure-counts';
export {
  type StoredUser,
  USER_TABLES,
  type UserChanges,
  type UserTable,
  type UserTables,
} from './users/user-table';
export { type UserTableSettings, userTableSettings } from './users/user-table-settings';
export { toVerificationProblem } from './authentication/verification-problem';
export { trySignIn, type SignInAttempt } from './authentication/sign-in-attempt';

/** Authentication and authorization: adapters, their map to APIs, rules and policies. */
export default class MvcAuthModule implements Module {
  readonly name = 'mvc-auth';
  /** Its state counts the uses of nonces. */
  readonly optionalRequires = ['cluster'];
  readonly defaults: ConfigObject = mvcAuthDefaults;
  readonly schemas = { [MVC_AUTH_KEY]: mvcAuthSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind('HttpAdapter').toResolvedValue(
      (deployment: Deployment, hashing: PasswordHashing, { services }: Application) =>
        new HttpAdapterFactory(deployment, hashing, services),
      [Deployment, PasswordHashing, Application],
    );
    bind('IntrospectionAdapter').toResolvedValue(
      (deployment: Deployment) => new IntrospectionAdapterFactory(deployment),
      [Deployment],
    );
    bind('JwtAdapter').toResolvedValue((known: KnownKeySets) => new JwtAdapterFactory(known), [KnownKeySets]);
    bind('ApiKeyAdapter').toResolvedValue(
      (deployment: Deployment, limits: RateLimitState) => new ApiKeyAdapterFactory(deployment, limits),
      [Deployment, RateLimitState],
    );
  });

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, events, sharedState } = application;
    const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
    services.set(Deployment, deployment);
    services.set(
      RateLimitState,
      sharedState.getOrCreate(RateLimitState, () => new RateLimitState()),
    );
    const settings = configuration.section(MVC_AUTH_KEY, mvcAuthSettings);
    services.set(
      KnownKeySets,
      sharedState.getOrCreate(KnownKeySets, () => new KnownKeySets()),
    );
    services.set(
      PasswordHashing,
      new PasswordHashing(
        sharedState.getOrCreate(HashingQueue, () => new HashingQueue()),
        settings.throttling.pending_per_address,
      ),
    );
    const where = (...below: readonly string[]): string => {
      const path = [MVC_AUTH_KEY, ...below];
      return `${configuration.sourceOf(path)}: ${path.join('.')}`;
    };
    const adapters = await openAdapters(application);
    const guards = new Guards(
      adapters,
      effectiveMap(configuration),
      (key) => where('authentication', 'map', key),
      (key) => configuration.isDefault([MVC_AUTH_KEY, 'authentication', 'map', key]),
    );
    services.set(Guards, guards);
    application.warnings.push(...unmappedAdapterWarnings(configuration));
    services.set(
      AccessRules,
      new AccessRules(settings.authorization, (path) => where('authorization', ...path)),
    );
    services.set(Policies, new Policies(services));
    const throttle = new Throttle(
      settings.throttling,
      sharedState.getOrCreate(ThrottleState, () => new ThrottleState()),
      { counts: () => deployment.store?.exactCounts, key: deployment.keys.derive('guesses')[0] },
    );
    if (settings.throttling.exact === true && deployment.store === undefined)
      application.warnings.push(
        `${where('throttling', 'exact')} has no effect without platform-cluster.redis.url: a single process is exact, and its workers merge what they count.`,
      );
    services.set(Throttle, throttle);
    events.attachGroup(
      new AuthListeners(
        throttle,
        [...adapters.values()].map(({ adapter }) => adapter),
      ),
    );
  }
}
