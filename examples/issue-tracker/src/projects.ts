import { defineTableService, Type } from 'apidesc-platform';
import { MAINTAINERS } from './access.js';

export const Project = defineTableService({
  description: 'The projects that issues belong to.',
  adapter_name: 'tracker',
  table_name: 'projects',
  route: '/projects[/:key]',
  route_identifier_name: 'key',
  collection_name: 'projects',
  max_items: 1,
  columns: {
    key: {
      schema: Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 20, examples: ['web'] }),
      description: 'A short name, which never changes.',
    },
    name: { schema: Type.String({ minLength: 1, maxLength: 100, examples: ['Web site'] }) },
    description: { schema: Type.String({ maxLength: 2000, default: '' }), description: 'CommonMark.' },
  },
  page_size: 50,
  collection: {
    GET: { description: 'Lists projects.', sort: ['name'] },
    POST: { description: 'Adds a project.', authorization: MAINTAINERS },
  },
  entity: {
    GET: { description: 'Returns a project.' },
    PATCH: { description: 'Changes a project.', authorization: MAINTAINERS },
    DELETE: { description: 'Removes a project that has no issues.', authorization: MAINTAINERS },
  },
});
