// The console of an operation: a form, its request, and the response.
import { errorsOf, showResponse } from './console-response.js';
import { createBody } from './console-body.js';
import { createCurlButton, curlOf } from './console-curl.js';
import { FORM, MULTIPART, encodeForm } from './console-form.js';
import { createListParameter } from './console-list.js';
import { createSignIn, refusalNote } from './console-sign-in.js';
import { addCopyButton } from './copy.js';
import { choice, group, inputFor } from './console-inputs.js';
import { element } from './dom.js';
import { t } from './text.js';
import { authenticatedFetch } from './sign-in.js';

let consoles = 0;

/** A parameter of a path. It may have a constraint, which separates its name from text after it. */
const PARAMETER = /:([A-Za-z_]\w*)(?:\([^()]*\))?/g;
const parametersOf = (path) => [...path.matchAll(PARAMETER)].map(([, name]) => name);

/** Opens the console. @param description of the operation, from the server */
export function openConsole(place, description) {
  const number = ++consoles;
  const idOf = (name) => `console-${number}-${name}`;
  const make = inputFor(idOf);
  const parts = { path: description.parameters, query: description.query, header: description.headers };
  const inputOf = (one, kind) =>
    kind === 'query' && one.items ? createListParameter(one, make, idOf) : make(one, kind);
  const inputs = Object.fromEntries(
    Object.entries(parts).map(([kind, list]) => [
      kind,
      list.map((one) => ({ ...one, ...inputOf(one, kind) })),
    ]),
  );
  const accept = choice(idOf('accept'), 'Accept', description.accept);
  const contentType = choice(idOf('type'), 'Content-Type', description.contentTypes);
  const signIn = createSignIn(description, idOf);
  const body = description.contentTypes.length > 0 ? createBody(description, idOf, make) : undefined;
  const curl = createCurlButton(() => request(), signIn, idOf);
  const sendButton = element('button', { className: 'send', textContent: t('console.send') });
  const cancelButton = element('button', {
    type: 'button',
    className: 'cancel',
    textContent: t('console.cancel'),
    hidden: true,
  });
  const output = element('div', { className: 'answer', tabIndex: -1, 'aria-busy': 'false' });
  const sent = element('figure', { className: 'sample sent', hidden: true });
  const sentCode = element('code');
  sent.append(
    element('figcaption', { textContent: t('console.sent') }),
    element('pre', { tabIndex: 0 }, sentCode),
  );
  addCopyButton(sent);
  const form = element(
    'form',
    {
      className: 'console-form',
      noValidate: true,
      autocomplete: 'off',
      'aria-label': t('console.try', { method: description.method }),
    },
    signIn?.part,
    group(t('console.path'), inputs.path),
    group(t('console.query'), inputs.query),
    group(t('console.headers'), [
      ...inputs.header,
      ...(description.accept.length > 1 ? [accept] : []),
      ...(description.contentTypes.length > 1 ? [contentType] : []),
    ]),
    body &&
      element(
        'fieldset',
        {},
        element('legend', { className: 'hidden', textContent: t('console.body') }),
        ...body.parts,
      ),
    element('p', { className: 'console-buttons' }, sendButton, cancelButton, ...curl),
  );

  /** The path that has the parameters with a value, as optional ones may be empty; the longest if there is none. */
  const chosenPath = () => {
    const given = inputs.path.filter(({ input }) => input.value !== '').map(({ name }) => name);
    const isGiven = (path) => parametersOf(path).join() === given.join();
    return description.paths.find(isGiven) ?? description.paths.at(-1);
  };
  const encodedBody = () => {
    const type = contentType.input.value;
    if (body === undefined || (type === MULTIPART && body.pairs().length === 0)) return {};
    if (type !== MULTIPART && type !== FORM) return { type, body: body.text() };
    return { pairs: body.pairs(), ...encodeForm(type, body.pairs()) };
  };
  const request = () => {
    const { type, body: content, pairs } = encodedBody();
    const values = new Map(inputs.path.map(({ name, input }) => [name, encodeURIComponent(input.value)]));
    const path = chosenPath().replace(PARAMETER, (text, name) => values.get(name) ?? text);
    const query = new URLSearchParams(
      inputs.query.flatMap(({ name, values }) => values().map((value) => [name, value])),
    );
    const headers = {
      ...(description.accept.length > 0 ? { Accept: accept.input.value } : {}),
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...Object.fromEntries(
        inputs.header.filter(({ input }) => input.value !== '').map(({ name, input }) => [name, input.value]),
      ),
    };
    const search = query.size > 0 ? `?${query}` : '';
    return {
      url: location.origin + path + search,
      init: { method: description.method, headers, body: content },
      pairs,
      credentials: signIn?.credentials(),
    };
  };

  let abort;
  cancelButton.addEventListener('click', () => abort?.abort());
  const refuse = (invalid, textContent) => {
    for (const { input } of invalid) input.setAttribute('aria-invalid', 'true');
    output.replaceChildren(
      element('p', { className: 'answer-status answer-bad', role: 'status', textContent }),
    );
    sent.hidden = true;
    return true;
  };
  /**
   * Without a parameter, the path may be that of another operation. Browsers resolve segments of dots, even if they are
   * encoded (URL Standard, 4.1).
   */
  const rejectPath = ({ url }) => {
    const needed = parametersOf(chosenPath());
    const empty = inputs.path.filter(({ name, input }) => input.value === '' && needed.includes(name));
    const names = empty.map(({ name }) => name).join(', ');
    if (empty.length > 0) return refuse(empty, t('console.empty', { names }));
    const [path] = url.slice(location.origin.length).split('?');
    if (!path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return false;
    const invalid = inputs.path.filter(({ input }) => /^\.{1,2}$/.test(input.value));
    const values = invalid
      .map(({ name, input }) => t('console.valueOf', { value: input.value, name }))
      .join(', ');
    return refuse(invalid, t('console.dots', { values: values || t('console.thisPath') }));
  };
  const send = async () => {
    abort?.abort();
    for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
    if (rejectPath(request())) return;
    const own = (abort = new AbortController());
    const { url, init, credentials, pairs } = request();
    sentCode.textContent = curlOf({ url, init, credentials, pairs });
    sent.hidden = false;
    cancelButton.hidden = false;
    output.setAttribute('aria-busy', 'true');
    const started = performance.now();
    let hasBegun = false;
    try {
      const { response, note } = await authenticatedFetch(url, { ...init, signal: own.signal }, credentials);
      hasBegun = true;
      const refusal = note || refusalNote(response, description, signIn, credentials);
      const problem = await showResponse(output, response, { started, note: refusal });
      for (const { pointer } of errorsOf(problem)) {
        const input = body?.inputs.get(pointer);
        input?.setAttribute('aria-invalid', 'true');
        if (input) body.fold.open = true;
      }
    } catch (error) {
      if (abort !== own) return;
      const reason = { reason: error.message };
      const failure = hasBegun ? t('console.interrupted', reason) : t('console.noResponse', reason);
      const textContent = own.signal.aborted ? t('console.cancelled') : failure;
      const message = element('p', { className: 'answer-status answer-bad', role: 'status', textContent });
      // What has arrived remains; the response to the request before does not.
      if (hasBegun) output.append(message);
      else output.replaceChildren(message);
    } finally {
      if (abort === own) {
        // After a response, a key that was meant for Cancel must not send the request again.
        if (document.activeElement === cancelButton) (own.signal.aborted ? sendButton : output).focus();
        cancelButton.hidden = true;
        output.setAttribute('aria-busy', 'false');
      }
    }
  };
  // A key that is held would send the request again and again, also after Cancel, where Send has the focus.
  form.addEventListener('keydown', (event) => {
    if (event.repeat && event.key === 'Enter' && !event.target.matches('textarea')) event.preventDefault();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  place.replaceChildren(
    element('p', { className: 'console-title', textContent: t('console.title') }),
    form,
    output,
    sent,
  );
  form.querySelector('input, select, textarea, button').focus();
}
