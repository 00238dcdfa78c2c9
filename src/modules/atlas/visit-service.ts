import { Type } from '@sinclair/typebox';
import { defineTableService } from '../database';
import { VisitResource } from './visit-resource';

/** The visits of each user, which nobody else can see. */
export const visitService = defineTableService({
  description: 'The visits of the user. Users can only see and change their own visits.',
  adapter_name: 'atlas',
  table_name: 'visits',
  rows: { username: 'identity.name' },
  route: '/atlas/visits[/:visit_id]',
  route_identifier_name: 'visit_id',
  parameters: {
    visit_id: Type.String({ description: 'The identifier of the visit, assigned by the server.' }),
  },
  authorization: 'authenticated',
  read_only_members: 'refuse',
  columns: {
    visit_id: {
      read_only: true,
      description: 'Assigned by the server.',
      schema: { examples: ['6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11'] },
    },
    country_code: {
      description: 'ISO 3166-1 alpha-2 code of the country.',
      schema: { pattern: '^[A-Za-z]{2}$', examples: ['DE'] },
    },
    visited_on: {
      description: 'The day of the visit; null if unknown.',
      schema: { default: null, examples: ['2025-06-21'] },
    },
    note: {
      description: 'A note about the visit.',
      schema: { default: '', examples: ['Rain, and good bread.'] },
    },
  },
  filters: { country_code: ['eq', 'in'], visited_on: ['eq', 'gte', 'lte', 'is'] },
  search: true,
  collection_name: 'visits',
  paging: 'page',
  page_size: 25,
  // A visit at a time: clients of the earlier versions know no lists.
  max_items: 1,
  collection: {
    GET: {
      description: 'Lists your visits in the order in which they were added.',
      response_description: 'A page of your visits.',
      sort: ['visited_on', 'country_code'],
    },
    POST: {
      description: 'Adds a visit.',
      request_description: 'The visit. Only the country is required.',
      response_description: 'The new visit with its identifier.',
      status_codes: [{ code: 409, message: 'Conflict' }],
    },
  },
  entity: {
    GET: { description: 'Returns one of your visits.', response_description: 'The visit.' },
    PATCH: {
      description: 'Changes one of your visits.',
      request_description: 'The members to change.',
      response_description: 'The updated visit.',
    },
    DELETE: { description: 'Deletes one of your visits.' },
  },
  resource: VisitResource,
});
