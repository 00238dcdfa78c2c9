import type { MvcEvent } from '../../framework';
import { EventContext } from './context';
import type { RestServiceDefinition } from './definition';
import type { Validator } from '../content-validation';
import { decodeCursor } from './cursor';
import { pageOf, type Paging } from './paging';
import { placeOfPatch } from './patch-place';
import { patchedEntity } from './patched-entity';
import type { CollectionContext, EntityPatch, PageRequest, PatchContext, AnyResource } from './resource';
import type { ResponseChecks } from './response-checks';
import { parseSort, type SortKey } from './sort';

/** What the handlers of a REST service share. */
export interface RestSetting {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  readonly definition: RestServiceDefinition;
  readonly resource: AnyResource;
  readonly paging: Paging | undefined;
  /** Checks what cursors hold; undefined where there are none. */
  readonly cursorCheck: Validator | undefined;
  /** Checks what patches make of an entity; undefined where there are no patches. */
  readonly entityCheck: Validator | undefined;
  /** Tells authors what they may not have meant. */
  readonly checks: Pick<ResponseChecks, 'advise'>;
  /** The paths of entities by their identifiers, for `Location` and links; asked for once for each answer. */
  readonly locate: (event: MvcEvent) => (id: string) => string;
  /** Which representation of a revision a request gets; empty for the usual one. */
  readonly variantOf: (event: MvcEvent) => string;
  /** Whether the answer depends on `Accept`. */
  readonly varies: boolean;
}

/** Answers one operation. */
export type RestHandler = (event: MvcEvent) => unknown;

/** The identifier in the route; only operations of entities have one. */
export function idOf({ definition }: RestSetting, event: MvcEvent): string {
  return event.parameters[definition.route_identifier_name] ?? '';
}

/** The member of an entity that holds its identifier. */
export function identifierNameOf(definition: RestServiceDefinition): string {
  return definition.entity_identifier_name ?? definition.route_identifier_name;
}

/** The identifier that an entity holds; undefined for what has none. */
export function identifierIn(definition: RestServiceDefinition, entity: unknown): string | undefined {
  const name = identifierNameOf(definition);
  const id: unknown = typeof entity === 'object' && entity !== null ? Reflect.get(entity, name) : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** How messages name what a request is about. */
export function subjectOf(setting: RestSetting, event: MvcEvent): string {
  const id = event.parameters[setting.definition.route_identifier_name];
  return id === undefined ? `The collection of ${setting.service}` : `${setting.service} "${id}"`;
}

/** The context that a resource's method is given. */
export class RestContext extends EventContext {
  readonly #setting: RestSetting;

  constructor(event: MvcEvent, setting: RestSetting) {
    super(event, setting.api, setting.version);
    this.#setting = setting;
  }

  protected override get what(): string {
    return subjectOf(this.#setting, this.event);
  }
}

/** What is compared with no schema. */
export const anything: Validator = (value) => ({ value });

/** The context of `patch` and `patchList`. */
export class PatchedContext extends RestContext implements PatchContext {
  readonly #check: Validator;
  readonly #definition: RestServiceDefinition;
  readonly #patches: readonly EntityPatch<unknown>[];

  /** @param patches of several entities, in the order of the body; none where the body is the patch */
  constructor(event: MvcEvent, setting: RestSetting, patches: readonly EntityPatch<unknown>[] = []) {
    super(event, setting);
    this.#check = setting.entityCheck ?? anything;
    this.#definition = setting.definition;
    this.#patches = patches;
  }

  get merge(): PatchContext['merge'] {
    return (entity, patch) => {
      const place = placeOfPatch(this.#patches, patch, identifierIn(this.#definition, entity));
      return patchedEntity(entity, patch, this.#check, place);
    };
  }
}

/** The context of `fetchAll`. */
export class PagedContext extends RestContext implements CollectionContext {
  readonly page: PageRequest;
  readonly sort: readonly SortKey[];
  readonly cursor: unknown;

  /** @throws Problem 400 for a cursor that was not given out */
  constructor(event: MvcEvent, setting: RestSetting) {
    super(event, setting);
    const { cursorCheck, definition, paging } = setting;
    const { cursor } = this.query;
    this.page = pageOf(this.query, paging);
    this.sort = definition.collection?.GET?.sort === undefined ? [] : parseSort(this.query.sort);
    this.cursor =
      cursorCheck === undefined || typeof cursor !== 'string'
        ? undefined
        : decodeCursor(cursor, event.request.query, cursorCheck);
  }
}
