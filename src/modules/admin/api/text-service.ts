import { Type, type Static } from '@sinclair/typebox';
import {
  defineRestService,
  type HandlerContext,
  type MergePatch,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import { textsOf, visibilitiesOf } from '../actions/texts/documentation-texts';
import { unreadableWarnings, VISIBILITIES, type Visibility } from '../actions/texts/documented-visibility';
import type { AdminServices } from '../services';
import { CHANGE_STATUSES } from './resources/api-context';
import { versionIn, versionParameter } from './resources/versioned-api';
import { versionedServiceOptions, VersionedResource } from './resources/versioned-resource';

const key = Type.String({
  description: "A JSON Pointer from the API's definition.",
  examples: ['/versions/1/services/Country/description'],
});
const visibilityKey = Type.String({
  description: "A JSON Pointer from the API's definition: of the API, or of one of its services.",
  examples: ['/versions/1/services/Country/visibility'],
});
const visibility = Type.Unsafe<Visibility>({
  type: 'string',
  enum: VISIBILITIES,
  description: '"authenticated" hides it from guests.',
});
const configured = Type.Unsafe<Visibility | null>({
  enum: [...VISIBILITIES, null],
  description: 'The configured value; null restores the declared one.',
});
const fields = Type.Object({
  api_version: versionParameter,
  texts: Type.Array(
    Type.Object({
      key,
      text: Type.String({ description: 'CommonMark.' }),
      source: Type.String({ description: 'The file or module that defines it.' }),
    }),
  ),
  visibility: Type.Array(
    Type.Object({
      key: visibilityKey,
      visibility: configured,
      effective: visibility,
      source: Type.String({ description: 'The file or module that defines it.' }),
    }),
    { description: 'The documentation visibility of the API and of its services.' },
  ),
  warnings: Type.Array(Type.String(), {
    description: 'Documentation that is hidden from everybody, because nobody can sign in to read it.',
  }),
});
const input = Type.Object(
  {
    texts: Type.Array(
      Type.Object(
        { key, text: Type.String({ description: 'Empty restores the text declared in code.' }) },
        { additionalProperties: false },
      ),
    ),
    visibility: Type.Array(
      Type.Object(
        {
          key: visibilityKey,
          visibility: configured,
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

type Texts = Static<typeof fields>;

/** Defines the REST service of the documentation texts. */
export function textService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description:
      'The texts of the documentation (of APIs, services, operations, parameters, fields and shared schemas) and the visibility of APIs and services.',
    route: '/documentation-texts[/:api_version]',
    ...versionedServiceOptions,
    fields,
    input,
    collection: { GET: { description: 'Lists the texts of all versions of all APIs.' } },
    entity: {
      GET: { description: 'Shows the texts of a version of an API.' },
      PATCH: {
        description: 'Changes the given texts and visibilities; others stay unchanged.',
        status_codes: CHANGE_STATUSES,
      },
    },
    resource: new TextResource(admin),
  });
}

class TextResource extends VersionedResource<Texts> implements RestResource<Texts, Static<typeof input>> {
  /** The tag covers the whole configuration of the API. */
  async fetch(name: string): Promise<Texts> {
    const { api, version } = versionIn(name);
    const view = await this.admin.texts.get(api, version);
    const texts = textsOf(view).map(({ key: one, text, source }) => ({ key: one, text, source }));
    const visibilities = visibilitiesOf(view).map(({ key: one, own = null, effective, source }) => ({
      key: one,
      visibility: own,
      effective,
      source,
    }));
    const warnings = [...unreadableWarnings(api, visibilitiesOf(view))];
    const entity = { api_version: `${api}-v${version}`, texts, visibility: visibilities, warnings };
    return this.tagged(entity, view.tag);
  }

  async patch(
    name: string,
    { texts = [], visibility: visibilities = [] }: MergePatch<Static<typeof input>>,
    context: HandlerContext,
  ): Promise<Texts> {
    const { api, version } = versionIn(name);
    await this.apply(context, () =>
      this.admin.texts.prepareChange(
        api,
        version,
        new Map(texts.map((one) => [one.key, one.text])),
        new Map(visibilities.map((one) => [one.key, one.visibility ?? undefined])),
      ),
    );
    return this.fetch(name);
  }
}
