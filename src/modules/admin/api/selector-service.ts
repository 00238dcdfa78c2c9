import { Type, type Static } from '@sinclair/typebox';
import {
  defineProcedure,
  defineRestService,
  defineRpcService,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import type { SelectorView } from '../actions/selectors/selector-view';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { CHANGE_STATUSES, CREATION_STATUSES } from './resources/api-context';

const mediaTypes = Type.Array(Type.String({ examples: ['application/json'] }), {
  description: 'The media types.',
});

const name = Type.String({ description: 'The name of the selector.', examples: ['Documentation'] });
const input = Type.Object({ name }, { additionalProperties: false });
const fields = Type.Object({
  name,
  models: Type.Array(Type.Object({ name: Type.String(), types: mediaTypes }), {
    description: 'The view models with their media types, in order of preference.',
  }),
  used_by: Type.Array(Type.String(), { description: 'The services that use it.' }),
});

type SelectorEntity = Static<typeof fields>;

/** Defines the REST service of the selectors. */
export function selectorService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description:
      'Selectors (`platform-content-negotiation.selectors`): which view model renders which media types.',
    route: '/selectors[/:selector_name]',
    route_identifier_name: 'selector_name',
    entity_identifier_name: 'name',
    parameters: { selector_name: name },
    fields,
    input,
    collection: {
      GET: { description: 'Lists the selectors.' },
      POST: {
        description: 'Creates an empty selector.',
        status_codes: CREATION_STATUSES,
      },
    },
    entity: {
      GET: { description: 'Shows a selector.' },
      DELETE: { description: 'Removes an unused selector.', status_codes: CHANGE_STATUSES },
    },
    resource: new SelectorResource(admin),
  });
}

class SelectorResource
  extends AdminResource<SelectorEntity>
  implements RestResource<SelectorEntity, Static<typeof input>>
{
  async fetchAll(): Promise<readonly SelectorEntity[]> {
    return (await this.admin.selectors.list()).map(toEntity);
  }

  async fetch(selector: string): Promise<SelectorEntity> {
    const view = await this.admin.selectors.get(selector);
    return this.tagged(toEntity(view), view.tag);
  }

  async create(data: Static<typeof input>, context: HandlerContext): Promise<SelectorEntity> {
    await this.apply(context, () => this.admin.selectors.prepareCreate(data.name));
    return this.fetch(data.name);
  }

  async delete(selector: string, context: HandlerContext): Promise<void> {
    await this.apply(context, () => this.admin.selectors.prepareRemove(selector));
  }
}

function toEntity({ name: selector, models, usedBy }: SelectorView): SelectorEntity {
  return {
    name: selector,
    models: models.map((model) => ({
      name: model.name,
      types: model.types.map(({ mediaType }) => mediaType),
    })),
    used_by: [...usedBy],
  };
}

const model = Type.Object({ name: Type.String(), types: mediaTypes });
type Model = Static<typeof model>;
const types = Type.Object({ types: mediaTypes }, { additionalProperties: false });

/** Defines the REST service of the view models of a selector. */
export function selectorModelService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The view models of a selector with their media types.',
    route: '/selectors/:selector_name/models[/:model_name]',
    route_identifier_name: 'model_name',
    entity_identifier_name: 'name',
    parameters: {
      selector_name: name,
      model_name: Type.String({
        description: 'The name of the view model in the container.',
        examples: ['JsonModel'],
      }),
    },
    fields: model,
    input: types,
    collection: { GET: { description: 'Lists the view models.' } },
    entity: {
      GET: { description: 'Shows the media types of a view model.' },
      PUT: {
        description: 'Adds a view model or changes its media types. Media types of lower layers are kept.',
        status_codes: CHANGE_STATUSES,
      },
      DELETE: { description: 'Removes a view model.', status_codes: CHANGE_STATUSES },
    },
    resource: new SelectorModelResource(admin),
  });
}

class SelectorModelResource
  extends AdminResource<Model>
  implements RestResource<Model, Static<typeof types>>
{
  /** View models share the tag of their selector, so that concurrent changes of the selector are detected. */
  async fetchAll(context: HandlerContext): Promise<readonly Model[]> {
    const view = await this.admin.selectors.get(selectorOf(context));
    return toEntity(view).models.map((one) => this.tagged(one, view.tag));
  }

  async fetch(modelName: string, context: HandlerContext): Promise<Model | undefined> {
    return (await this.fetchAll(context)).find((one) => one.name === modelName);
  }

  async update(
    modelName: string,
    data: Static<typeof types>,
    context: HandlerContext,
  ): Promise<Model | undefined> {
    const selector = selectorOf(context);
    await this.apply(context, async () => {
      const { selectors } = this.admin;
      const { models } = await selectors.get(selector);
      const exists = models.some((one) => one.name === modelName);
      return exists
        ? selectors.prepareSetTypes(selector, modelName, data.types)
        : selectors.prepareAddModel(selector, modelName, data.types);
    });
    return this.fetch(modelName, context);
  }

  async delete(modelName: string, context: HandlerContext): Promise<void> {
    await this.apply(context, () => this.admin.selectors.prepareRemoveModel(selectorOf(context), modelName));
  }
}

function selectorOf({ parameters }: HandlerContext): string {
  return parameters.selector_name ?? '';
}

/** Defines the procedure that explains a negotiation. */
export function negotiationTestService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Explains how a selector negotiates an `Accept` header.',
    route: '/negotiation-test',
    methods: {
      GET: defineProcedure({
        description: 'Explains the negotiation step by step.',
        query: Type.Object({
          selector: name,
          accept: Type.Optional(Type.String({ description: 'The header; omit for a request without it.' })),
        }),
        handler: ({ query }) => admin().selectors.explain(query.selector, query.accept),
      }),
    },
  });
}
