import { defineTableService, Type } from 'apidesc-platform';
import { MAINTAINERS, MEMBERS, nameOf } from './access.js';

export const Comment = defineTableService({
  description: 'The comments on an issue.',
  adapter_name: 'tracker',
  table_name: 'comments',
  // The route sets and restricts the column issue_id.
  route: '/issues/:issue_id/comments[/:comment_id]',
  route_identifier_name: 'comment_id',
  entity_identifier_name: 'id',
  collection_name: 'comments',
  max_items: 1,
  columns: {
    id: {},
    author: { read_only: true },
    text: { schema: Type.String({ minLength: 1, maxLength: 10_000 }), description: 'CommonMark.' },
    created_at: { read_only: true },
  },
  page_size: 50,
  hooks: { beforeCreate: (values, { identity }) => ({ ...values, author: nameOf(identity) }) },
  collection: {
    GET: { description: 'Lists comments, oldest first.' },
    POST: { description: 'Adds a comment.', authorization: MEMBERS },
  },
  entity: {
    GET: { description: 'Returns a comment.' },
    DELETE: { description: 'Removes a comment.', authorization: MAINTAINERS },
  },
});
