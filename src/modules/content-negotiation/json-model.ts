import { JsonModel as FrameworkJsonModel, Problem, type ViewModelOptions } from '../../framework';

/**
 * The JSON model to extend for formats that are JSON: it serializes whatever has `toJSON`, and labels a problem
 * as the problem it is.
 */
export class JsonModel extends FrameworkJsonModel {
  constructor(content: unknown, options: ViewModelOptions = {}) {
    super(
      content,
      content instanceof Problem ? { ...options, mediaType: 'application/problem+json' } : options,
    );
  }
}
