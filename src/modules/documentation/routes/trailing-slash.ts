import { MethodTable, Response, type MvcEvent, type RouteTarget } from '../../../framework';

/** Redirects URLs with a trailing slash, whether or not the target exists. */
export const trailingSlash: RouteTarget = {
  methods: new MethodTable({
    GET: Object.freeze({ name: 'documentation behind a slash', handler: withoutSlash }),
  }),
};

/** 308 keeps the method (RFC 9110, 15.4.9). */
function withoutSlash({ request: { path, rawQuery } }: MvcEvent): Response {
  const query = rawQuery === '' ? '' : `?${rawQuery}`;
  return new Response(308, null, [['Location', path.slice(0, -1) + query]]);
}
