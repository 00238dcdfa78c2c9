import { splitOutsideQuotes, type ViewModel } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import type { SelectorActions } from '../../actions/selectors/selector-actions';
import type { SelectorView } from '../../actions/selectors/selector-view';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { proposeChange } from '../change-form';
import { describeChoice } from './describe-choice';

const LIST = '/selectors';
const pathOf = (name: string): string => `${LIST}/${encodeURIComponent(name)}`;

/** The pages of selectors and their view models, with a tester. */
export function selectorsScreen({ selectors }: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'selectors',
      role: 'editor',
      pattern: LIST,
      GET: (context) => showList(context, selectors),
      POST: (context) => create(context, selectors),
      edit: (context) => showList(context, selectors),
    },
    {
      name: 'selector',
      role: 'editor',
      pattern: `${LIST}/:name`,
      GET: async (context) => (await selectorPage(context, selectors))([]),
      POST: (context) => addModel(context, selectors),
      edit: async (context) => (await selectorPage(context, selectors))([]),
    },
    {
      name: 'selector-model',
      role: 'editor',
      pattern: `${LIST}/:name/models/:model`,
      GET: async (context) => (await modelPage(context, selectors))([]),
      POST: (context) => setTypes(context, selectors),
      edit: async (context) => (await modelPage(context, selectors))([]),
    },
    {
      name: 'selector-model-remove',
      role: 'editor',
      pattern: `${LIST}/:name/models/:model/remove`,
      GET: ({ redirect, parameters: { name = '', model = '' } }) =>
        redirect(`${pathOf(name)}/models/${encodeURIComponent(model)}`),
      POST: (context) => removeModel(context, selectors),
    },
    {
      name: 'selector-remove',
      role: 'editor',
      pattern: `${LIST}/:name/remove`,
      GET: ({ redirect, parameters: { name = '' } }) => redirect(pathOf(name)),
      POST: (context) => removeSelector(context, selectors),
    },
  ];
}

async function showList(
  { show, form }: PageContext,
  selectors: SelectorActions,
  errors: readonly FieldError[] = [],
): Promise<ViewModel> {
  return show('selectors', { selectors: await selectors.list(), name: form.get('name') ?? '', errors });
}

async function create(context: PageContext, selectors: SelectorActions): Promise<PageResult> {
  const name = (context.form.get('name') ?? '').trim();
  const all = await selectors.list();
  return proposeChange(context, {
    prepare: () => selectors.prepareCreate(name),
    done: pathOf(name),
    showForm: (errors) =>
      context.show('selectors', { selectors: all, name, errors: onField(errors, '/name') }),
  });
}

/** Returns a function that shows the page of a selector with the errors of its form. */
async function selectorPage(
  { parameters: { name = '' }, query, form, show }: PageContext,
  selectors: SelectorActions,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const selector = await selectors.get(name);
  const accept = query.get('accept') ?? undefined;
  const explained = await selectors.explain(name, accept);
  const known = await selectors.viewModels();
  const listed = new Set(selector.models.map((one) => one.name));
  return (errors) =>
    show('selector', {
      selector,
      winners: winnersOf(selector),
      choices: [
        { value: '', label: 'Choose…' },
        ...known.filter((one) => !listed.has(one)).map((value) => ({ value })),
      ],
      isBelow: selectors.isDefinedInLowerLayer(name),
      accept: accept ?? '',
      choice: describeChoice(explained),
      typed: { model: form.get('model') ?? '', types: form.get('types') ?? '' },
      tag: form.get('tag') ?? selector.tag,
      errors,
    });
}

async function addModel(context: PageContext, selectors: SelectorActions): Promise<PageResult> {
  const {
    form,
    parameters: { name = '' },
  } = context;
  const page = await selectorPage(context, selectors);
  return proposeChange(context, {
    prepare: () => selectors.prepareAddModel(name, form.get('model') ?? '', typesIn(form)),
    done: pathOf(name),
    showForm: (errors) => page(onListField(errors)),
  });
}

/** Returns a function that shows the page of a view model with the errors of its form. */
async function modelPage(
  { parameters: { name = '', model = '' }, form, show }: PageContext,
  selectors: SelectorActions,
): Promise<(errors: readonly FieldError[]) => ViewModel> {
  const selector = await selectors.get(name);
  const entry = await selectors.model(name, model);
  const types = form.get('types') ?? entry.types.map(({ mediaType }) => mediaType).join('\n');
  const isBelow = selectors.isDefinedInLowerLayer(name, model);
  const tag = form.get('tag') ?? selector.tag;
  return (errors) => show('selector-model', { selector, entry, types, isBelow, tag, errors });
}

async function setTypes(context: PageContext, selectors: SelectorActions): Promise<PageResult> {
  const {
    form,
    parameters: { name = '', model = '' },
  } = context;
  const page = await modelPage(context, selectors);
  return proposeChange(context, {
    prepare: () => selectors.prepareSetTypes(name, model, typesIn(form)),
    done: pathOf(name),
    showForm: (errors) => page(onListField(errors)),
  });
}

async function removeModel(context: PageContext, selectors: SelectorActions): Promise<PageResult> {
  const {
    parameters: { name = '', model = '' },
  } = context;
  return proposeChange(context, {
    prepare: () => selectors.prepareRemoveModel(name, model),
    done: pathOf(name),
    showForm: await modelPage(context, selectors),
  });
}

async function removeSelector(context: PageContext, selectors: SelectorActions): Promise<PageResult> {
  const {
    parameters: { name = '' },
  } = context;
  return proposeChange(context, {
    prepare: () => selectors.prepareRemove(name),
    done: LIST,
    showForm: await selectorPage(context, selectors),
  });
}

/** Returns the view model that is used for each ambiguous media type. */
function winnersOf({ ambiguousTypes }: SelectorView): Readonly<Record<string, string>> {
  return Object.fromEntries(ambiguousTypes.map(({ mediaType, winner }) => [mediaType, winner]));
}

/** Parses media types separated by line breaks or commas. */
function typesIn(form: URLSearchParams): readonly string[] {
  return (form.get('types') ?? '')
    .split('\n')
    .flatMap((line) => splitOutsideQuotes(line, ','))
    .map((type) => type.trim())
    .filter((type) => type !== '');
}

/** Assigns the errors of single media types to the field that contains all of them. */
function onListField(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) =>
    error.pointer.startsWith('/types/') ? { ...error, pointer: '/types' } : error,
  );
}

/** Assigns general errors to a field. */
function onField(errors: readonly FieldError[], pointer: string): readonly FieldError[] {
  return errors.map((error) => (error.pointer === '' ? { ...error, pointer } : error));
}
