import { Type, type Static } from '@sinclair/typebox';
import {
  defineRestService,
  type HandlerContext,
  type MergePatch,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import { textsOf } from '../actions/texts/documentation-texts';
import type { AdminServices } from '../services';
import { CHANGE_STATUSES } from './adapter-service';
import { AdminResource } from './admin-resource';
import { applyFor } from './api-context';
import { versionIn, versionParameter, versionsOf } from './versioned-api';

const key = Type.String({
  description: "A JSON Pointer from the API's definition.",
  examples: ['/versions/1/services/Country/description'],
});
const fields = Type.Object({
  api_version: versionParameter,
  texts: Type.Array(
    Type.Object({
      key,
      text: Type.String({ description: 'CommonMark.' }),
      source: Type.String({ description: 'The file, or the module, that says it.' }),
    }),
  ),
});
const input = Type.Object(
  {
    texts: Type.Array(
      Type.Object(
        { key, text: Type.String({ description: "Empty: the code's text counts again." }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

type Texts = Static<typeof fields>;

/** The texts of the documentation as a REST service. */
export function textService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The texts of the documentation: of APIs, services, operations, parameters and fields.',
    route: '/documentation-texts[/:api_version]',
    route_identifier_name: 'api_version',
    parameters: { api_version: versionParameter },
    authorization: 'authenticated',
    fields,
    input,
    collection: { GET: { description: 'Lists the texts of all versions of all APIs.' } },
    entity: {
      GET: { description: 'Shows the texts of a version of an API.' },
      PATCH: {
        description: 'Changes the texts that are sent; the others stay.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new TextResource(admin),
  });
}

class TextResource extends AdminResource<Texts> implements RestResource<Texts, Static<typeof input>> {
  async fetchAll(): Promise<readonly Texts[]> {
    const versions = await versionsOf(this.admin.changes.running);
    return Promise.all(versions.map(({ api, version }) => this.fetch(`${api}-v${version}`)));
  }

  /** The tag is that of all that is configured of the API. */
  async fetch(name: string): Promise<Texts> {
    const { api, version } = versionIn(name);
    const view = await this.admin.texts.get(api, version);
    const texts = textsOf(view).map(({ key: one, text, source }) => ({ key: one, text, source }));
    return this.tagged({ api_version: `${api}-v${version}`, texts }, view.tag);
  }

  async patch(
    name: string,
    { texts = [] }: MergePatch<Static<typeof input>>,
    context: HandlerContext,
  ): Promise<Texts> {
    const { admin } = this;
    const { api, version } = versionIn(name);
    const wanted = new Map(texts.map((one) => [one.key, one.text]));
    await applyFor(context, admin, await admin.texts.toChange(api, version, wanted));
    return this.fetch(name);
  }
}
