import { Deployment, publicUrlOf, type Application, type BootstrapEvent, type Module } from '../../framework';
import { FlowCookie } from './flow/flow-cookie';
import { PublicOrigin } from './flow/origin';
import { SignInPages } from './flow/pages';
import { SignInFlow } from './flow/sign-in-flow';
import { addSignInRoutes, SignInFields } from './flow/sign-in-routes';
import { OpenidProvider } from './provider/provider';
import { ReaderSessions } from './readers/reader-sessions';
import { readerTarget } from './readers/reader-target';
import { OPENID_KEY, openidSettings, openidSettingsOf, type OpenidSettings } from './settings';
import { CALLBACK_PATH, OpenidSignIn, SIGN_IN_PATH } from './sign-in';

export { PAGE_HEADERS } from './flow/sign-in-routes';
export type { Person } from './person';
export { OPENID_KEY, openidSettingsOf, type OpenidSettings } from './settings';
export { CALLBACK_PATH, OpenidSignIn, readersCanSignIn } from './sign-in';
export type { SignInTarget } from './sign-in-target';

/** The module whose layout the pages have. */
const DOCUMENTATION = 'documentation';

/** Sign-in with an OpenID provider; does nothing without `platform-openid`. */
export default class OpenidModule implements Module {
  readonly name = 'openid';
  readonly requires = ['mvc-auth'];
  /** Its keys and its state are those of the deployment. */
  readonly optionalRequires = ['cluster'];
  readonly schemas = { [OPENID_KEY]: openidSettings };

  onBootstrap({ application }: BootstrapEvent): void {
    const settings = openidSettingsOf(application.configuration);
    if (settings === undefined) return;
    const { router, events, services, sharedState, warnings, notices, modules } = application;
    if (modules.every(({ name }) => name !== DOCUMENTATION)) {
      warnings.push(
        `${OPENID_KEY} has no effect without the module "${DOCUMENTATION}". Add it to config/application.json.`,
      );
      return;
    }
    const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
    const signIn = open(application, settings, deployment);
    services.set(OpenidSignIn, signIn);
    events.attachGroup(new SignInFields());
    if (!settings.documentation && Object.keys(settings.adminRoles).length === 0)
      warnings.push(
        `${OPENID_KEY} has no effect: nobody can sign in with it. Set ${OPENID_KEY}.admin.roles, such as { "staff": "viewer" }, or ${OPENID_KEY}.documentation to true.`,
      );
    notices.push({
      label: 'Redirect URI to register with the OpenID provider',
      target: publicUrlOf(application.configuration).origin + router.base + CALLBACK_PATH,
    });
  }
}

function open(application: Application, settings: OpenidSettings, deployment: Deployment): OpenidSignIn {
  const { router, configuration } = application;
  const { base } = router;
  const origin = new PublicOrigin(publicUrlOf(configuration).origin);
  // Sessions end when users come from another provider.
  const owner = JSON.stringify([settings.issuer, settings.clientId]);
  const readers = settings.documentation
    ? new ReaderSessions(deployment, `${base}/platform`, owner, settings.session)
    : undefined;
  const signIn = new OpenidSignIn(settings, { base, origin, readers });
  if (readers !== undefined)
    signIn.addTarget(readerTarget(`${base}/platform`, readers, ({ request }) => signIn.isSecure(request)));
  const provider = new OpenidProvider(settings);
  const pages = new SignInPages(signIn);
  const cookie = new FlowCookie(deployment, base + SIGN_IN_PATH, owner);
  const flow = new SignInFlow({
    signIn,
    provider,
    cookie,
    pages,
    deployment,
    log: application.logOf('openid'),
  });
  addSignInRoutes(router, { signIn, flow, pages, provider, readers });
  return signIn;
}
