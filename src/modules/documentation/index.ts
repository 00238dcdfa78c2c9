import path from 'node:path';
import {
  MethodTable,
  Response,
  serverSettings,
  type BootstrapEvent,
  type ConfigTree,
  type Module,
} from '../../framework';
import { Selectors } from '../content-negotiation';
import { Catalogue } from '../hosting';
import { AccessRules, Guards, needsUser } from '../mvc-auth';
import { Assets } from './assets';
import { Documentation } from './documentation';
import { DOCUMENTATION_PATTERN, DocumentationListener, DocumentationRoute } from './documentation-route';
import { addPageHelpers } from './page-helpers';

export { ApiContent, ApiListContent, ServiceContent, type DocumentationContent } from './content';
// What it adds to the framework's types, for those who import the package.
export type {} from './documentation-route';
export { Api } from './model/api';
export type * from './model/data';
export { isSchema } from './model/reference';
export { fieldsFromSchema } from './model/fields-from-schema';
export { Operation } from './model/operation';
export { Service } from './model/service';
export { Field } from './model/field';

/** The package's own folder: templates and style sheets are beside the code, in the source as in the build. */
const PACKAGE = path.join(__dirname, '..', '..', '..');
const templates = (folder: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [`${folder}/${name}`, path.join(PACKAGE, 'templates', folder, `${name}.njk`)]),
  );

/** Documents every API at one URL, in the format that the client asks for. */
export default class DocumentationModule implements Module {
  readonly name = 'documentation';
  readonly needs = ['hosting'];
  readonly defaults: ConfigTree = {
    'platform-content-negotiation': {
      selectors: {
        Documentation: { JsonModel: ['application/json'], ViewModel: ['text/html', 'application/xhtml+xml'] },
      },
    },
    view_manager: {
      template_map: {
        ...templates('platform', ['layout', 'error']),
        ...templates('platform-documentation', [
          'access',
          'api',
          'api-list',
          'constraints',
          'fields',
          'formats',
          'operation',
          'path',
          'service',
          'show',
          'sidebar',
          'versions',
        ]),
      },
    },
  };

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, router, view, events, configuration, warnings } = application;
    const selector = (await services.get(Selectors)).get('Documentation', 'The documentation');
    const documentation = new Documentation(
      await services.get(Catalogue),
      await services.get(Guards),
      router.base,
    );
    const assets = new Assets(
      {
        'pico.css': require.resolve('@picocss/pico/css/pico.classless.min.css'),
        'platform.css': path.join(PACKAGE, 'templates', 'assets', 'platform.css'),
      },
      router,
    );
    services.set(Documentation, documentation);
    const { host, port } = configuration.section('server', serverSettings);
    const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    addPageHelpers(view.helpers, { router, assets, documentation, selector, origin });
    const access = (await services.get(AccessRules)).ofDocumentation();
    if (needsUser(access) && documentation.guard === undefined) {
      warnings.push(
        'The documentation needs a user, but no adapter is mapped to "@documentation": its list answers 403 to everyone.',
      );
    }
    router.add(
      'documentation',
      DOCUMENTATION_PATTERN,
      new DocumentationRoute(documentation, selector, access),
    );
    const home = (): Response => new Response(302, null, [['Location', router.assemble('documentation')]]);
    router.add('home', '/', {
      methods: new MethodTable({ GET: Object.freeze({ name: 'home', handler: home }) }),
    });
    events.attachGroup(new DocumentationListener());
  }
}
