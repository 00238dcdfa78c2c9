import { MethodTable, problem, Response, type MvcEvent } from '../../../framework';
import { requiresUser, type AccessRule } from '../../mvc-auth';
import type { Documentation } from '../documentation';
import { ReadersRoute } from '../routes/readers-route';
import type { GuideImage } from './guide-images';

/** The images of guides. */
export const GUIDE_IMAGE_PATTERN = '/platform/guides/images/:image';

/** An SVG image that is opened on its own runs no scripts and loads nothing (Content Security Policy 3). */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the images of guides, for readers of the list of APIs. */
export class GuideImageRoute extends ReadersRoute {
  readonly methods: MethodTable;

  /** @param images by name in the URL */
  constructor(documentation: Documentation, access: AccessRule, images: ReadonlyMap<string, GuideImage>) {
    super(documentation, access);
    const fields = [
      // The name contains a hash of the content.
      ['Cache-Control', `${requiresUser(access) ? 'private' : 'public'}, max-age=31536000, immutable`],
      ['X-Content-Type-Options', 'nosniff'],
      ['Content-Security-Policy', IMAGE_POLICY],
      ...(documentation.guard?.vary ?? []).map((name) => ['Vary', name] as const),
    ] as const;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'image of a guide',
        handler: ({ parameters, request: { path } }: MvcEvent) => {
          const image = images.get(parameters.image ?? '');
          if (image === undefined) throw problem('route_not_found', { path });
          const { content, contentType } = image;
          const response = new Response(200, content.bytes, [['Content-Type', contentType], ...fields]);
          response.encodedContent = content;
          return response;
        },
      }),
    });
  }
}
