import type { TSchema } from '@sinclair/typebox';
import type { MvcEvent } from '../../framework';
import {
  formatOf,
  showsHypermedia,
  type NegotiationPolicy,
  type Representation,
  type Uploads,
} from '../content-negotiation';
import { closed } from './closed-schema';
import { withCurrentContext } from './current-context';
import type { ServiceDefinition } from './definition';
import { accessOf } from './operation-access';
import type { OperationDefinition } from './operation-definition';
import { handlerOf } from './operation-handler';
import { validationOf } from './operation-validation';
import type { HostedEndpoint, HostedService, Part } from './hosted-endpoint';
import type { Hypermedia } from './hypermedia';
import type { Place } from './place';
import type { OperationSchemas } from './schemas';
import { madeItself, responseTypesOf, selectorOf } from './response-type';
import { secondsOf } from './seconds';
import { streamOf } from './streamed';
import type { Tools } from './tools';
import { mediaTypeOf } from './version-of';

const VARIANT_PARTS = '-';
const JSON_TYPE = 'application/json';
const MERGE_PATCH = 'application/merge-patch+json';

/** Compiles the operations of a service, with what they have in common. */
export class OperationCompiler {
  readonly place: Place;
  readonly tools: Tools;
  readonly where: string;
  readonly accept: readonly string[];
  readonly contentTypes: readonly string[];
  readonly guard: HostedService['guard'];
  /** How its answers can be shown, the usual way first. */
  readonly representations: readonly Representation[];
  readonly #definition: ServiceDefinition;
  readonly #negotiation: Omit<NegotiationPolicy, 'contentTypes'>;

  constructor(place: Place, definition: ServiceDefinition, tools: Tools, where: string) {
    const { api, version } = place;
    this.place = place;
    this.tools = tools;
    this.where = where;
    this.#definition = definition;
    const selected = tools.selectors.get(definition.selector ?? 'Json', where);
    const types = definition.selector === undefined ? [JSON_TYPE] : selected.mediaTypes;
    const own = types.includes(JSON_TYPE) ? [mediaTypeOf(api, version)] : [];
    this.accept = Object.freeze(definition.accept ?? [...types, ...own]);
    this.contentTypes = Object.freeze(definition.content_type ?? this.accept.filter(isJson));
    this.guard = tools.guards.of(place);
    const selector = selected.restrictedTo(this.accept, where);
    this.representations = selector.representations;
    this.#negotiation = {
      selector,
      bodyLimit: definition.body_limit ?? tools.selectors.bodyLimit,
      uploads: uploadsOf(definition, tools.selectors.uploads),
    };
  }

  /** Which representation of a state a request gets, where there are several: its version, and its view model. */
  readonly variantOf = ({ representation }: MvcEvent): string => {
    const { version } = this.place;
    const usual = this.representations[0]?.name;
    return [
      ...(version === this.tools.defaultVersion ? [] : [`v${version}`]),
      ...(representation === undefined || representation.name === usual ? [] : [formatOf(representation)]),
    ].join(VARIANT_PARTS);
  };

  async endpoint(
    part: Part,
    method: string,
    definition: OperationDefinition,
    schemas: OperationSchemas,
    handling: Pick<HostedEndpoint, 'status' | 'handler' | 'conditions'> & {
      readonly hypermedia?: Hypermedia;
    },
  ): Promise<HostedEndpoint> {
    const { api, version, service } = this.place;
    const name = `${api}-v${version}/${service} ${part === 'rpc' ? '' : `${part} `}${method}`;
    const { response, query, paging } = schemas;
    const request = schemas.request === null ? null : this.#asTold(schemas.request);
    const timeout = secondsOf(
      'timeout',
      definition.timeout ?? this.#definition.timeout ?? this.tools.timeout,
      name,
    );
    const heartbeat = secondsOf(
      'heartbeat',
      definition.heartbeat ?? this.#definition.heartbeat ?? this.tools.heartbeat,
      name,
    );
    const bodyValidators = await this.tools.references.validators(
      [...(this.#definition.validators ?? []), ...(definition.validators ?? [])],
      name,
    );
    const contentTypes =
      request === null ? NO_BODY : (definition.content_type ?? this.#contentTypesOf(part, method));
    const stream = streamOf(definition, {
      part,
      method,
      name,
      paged: Reflect.get(this.#definition, 'page_size') !== undefined,
    });
    const own = responseTypesOf(definition, part, name);
    const types = stream ?? own;
    const declared = definition.authorization ?? this.#definition.authorization ?? this.tools.authorization;
    const { access, policy } = await accessOf(
      { name, place: this.place, part, method, declared, timeout },
      this.tools,
    );
    const endpoint: HostedEndpoint = {
      name,
      api,
      version,
      service,
      part,
      method,
      definition,
      guard: this.guard,
      access,
      policy,
      negotiation: this.tools.negotiations.of({
        ...this.#negotiation,
        ...(types === undefined ? {} : { selector: selectorOf(types) }),
        contentTypes,
        hypermedia: handling.hypermedia?.of,
      }),
      validation: validationOf(this.tools.validators, {
        place: this.place,
        method,
        name,
        request,
        query,
        paging,
        contentTypes,
        bodyValidators,
        timeout,
        service: this.#definition,
      }),
      requestSchema: request,
      responseSchema: response,
      shownSchema: response === null ? null : this.#shown(response, handling.hypermedia),
      querySchema: query,
      timeout,
      status: handling.status,
      conditions: handling.conditions,
      handler: handlerOf(
        own === undefined ? handling.handler : madeItself(handling.handler, name),
        { name, response, stream, heartbeat, timeout, cacheControl: definition.cache_control },
        this.tools,
      ),
    };
    return Object.freeze(this.tools.contextStorage ? withCurrentContext(endpoint) : endpoint);
  }

  /** As its usual representation shows it. */
  #shown(schema: TSchema, hypermedia: Hypermedia | undefined): Readonly<Record<string, unknown>> {
    const viewModel = this.representations[0]?.viewModel;
    return hypermedia !== undefined && viewModel !== undefined && showsHypermedia(viewModel)
      ? viewModel.describe(hypermedia.content ?? schema, hypermedia.shape)
      : schema;
  }

  /** Members that the schema does not name are refused where the service says so; those that are dropped too. */
  #asTold(schema: TSchema): TSchema {
    return this.#definition.unknown_members === undefined ? schema : closed(schema);
  }

  /** What takes JSON takes it as the patch that it is, too (RFC 7396, 4). */
  #contentTypesOf(part: Part, method: string): readonly string[] {
    if (part !== 'entity' || method !== 'PATCH' || !this.contentTypes.includes(JSON_TYPE)) {
      return this.contentTypes;
    }
    return [...new Set([...this.contentTypes, MERGE_PATCH])];
  }
}

/** The types of bodies that are taken where there is none. */
const NO_BODY: readonly string[] = Object.freeze([]);

function uploadsOf({ uploads }: ServiceDefinition, general: Uploads): Uploads {
  if (uploads === undefined) return general;
  return Object.freeze({ ...general, limits: Object.freeze({ ...general.limits, ...uploads }) });
}

function isJson(mediaType: string): boolean {
  return /^application\/(?:.+\+)?json(?:;|$)/i.test(mediaType);
}
