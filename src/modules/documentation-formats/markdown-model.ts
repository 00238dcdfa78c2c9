import { concatChunks, ViewModel, ViewStrategy, type Renderer, type Steps } from '../../framework';
import { markdownChunks } from './markdown/document';

/** RFC 7763, 2: the charset is required. */
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** The documentation as Markdown. */
export class MarkdownModel extends ViewModel {
  static override readonly cacheable = true;
}

export class MarkdownRenderer implements Renderer {
  render({ content }: ViewModel): string {
    return [...markdownChunks(content)].join('');
  }

  *steps({ content }: ViewModel): Steps<string | Buffer> {
    return yield* concatChunks(markdownChunks(content));
  }
}

export class MarkdownStrategy extends ViewStrategy {
  constructor(renderer: MarkdownRenderer) {
    super(renderer, MARKDOWN_TYPE);
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof MarkdownModel;
  }
}
