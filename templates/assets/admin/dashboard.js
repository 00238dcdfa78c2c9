// Updates the dashboard every few seconds while it is visible, and shows the values of a chart below the pointer.

const INTERVAL_MS = 5_000;

const dashboard = document.getElementById('dashboard');
const toggle = dashboard?.querySelector('[data-live-switch]');
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Who prefers reduced motion decides when something changes. */
let isLive = !matchMedia('(prefers-reduced-motion: reduce)').matches;
let timer;

/** A part stays as it is while it is used: with the focus, below the pointer, or with selected text in it. */
const isUsed = (part) =>
  part.contains(document.activeElement) ||
  part.matches(':hover') ||
  (getSelection()?.isCollapsed === false && getSelection().containsNode(part, true));

function replaceParts(page) {
  for (const updated of page.querySelectorAll('[data-part]')) {
    const current = dashboard.querySelector(`[data-part="${updated.dataset.part}"]`);
    if (!current || isUsed(current)) continue;
    for (const kept of current.querySelectorAll('details[data-keep]'))
      updated.querySelector(`#${kept.id}`)?.toggleAttribute('open', kept.open);
    for (const time of updated.querySelectorAll('time[datetime]')) {
      time.title = time.textContent;
      time.textContent = moment.format(new Date(time.dateTime));
    }
    const frame = current.querySelector('.picture-frame');
    const scrolled = frame?.scrollLeft ?? 0;
    current.replaceChildren(...updated.childNodes);
    if (scrolled > 0) current.querySelector('.picture-frame').scrollLeft = scrolled;
  }
}

async function update() {
  const response = await fetch(dashboard.dataset.source, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  // A service that restarts, behind a proxy: as after a network error, the next update may succeed.
  if (response.status >= 500) return;
  // A session that has ended: the page stays readable, and its next link leads to the sign-in.
  if (!response.ok) {
    isLive = false;
    toggle.textContent = 'Updates stopped: reload the page';
    return;
  }
  replaceParts(new DOMParser().parseFromString(await response.text(), 'text/html'));
}

function schedule() {
  clearTimeout(timer);
  if (!isLive || document.hidden) return;
  timer = setTimeout(() => {
    // After a network error, the next update may succeed.
    update()
      .catch(() => undefined)
      .finally(schedule);
  }, INTERVAL_MS);
}

function showState() {
  toggle.textContent = isLive ? 'Pause updates' : 'Resume updates';
}

if (dashboard && toggle) {
  toggle.closest('p').hidden = false;
  showState();
  toggle.addEventListener('click', () => {
    if (toggle.textContent.startsWith('Updates stopped')) return location.reload();
    isLive = !isLive;
    showState();
    schedule();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !isLive) return schedule();
    update()
      .catch(() => undefined)
      .finally(schedule);
  });
  schedule();
}

/** The values of the nearest point, as a text above the chart. */
function showPoint(chart, event) {
  const { x, ages, names, values } = JSON.parse(chart.dataset.points);
  const box = chart.getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
  const nearest = x.reduce(
    (best, one, index) => (Math.abs(one - at) < Math.abs(x[best] - at) ? index : best),
    0,
  );
  const known = names.flatMap((name, series) =>
    values[series][nearest] === null ? [] : [`${name} ${values[series][nearest]}`],
  );
  const time = clock.format(Date.now() - ages[nearest] * 1000);
  const frame = chart.parentElement;
  const note = frame.querySelector('.chart-note') ?? document.createElement('p');
  note.className = 'chart-note';
  note.textContent = `${time}: ${known.join(', ') || 'no value'}`;
  if (!note.isConnected) frame.append(note);
  chart.querySelector('.chart-cursor')?.setAttribute('transform', `translate(${x[nearest] + 1} 0)`);
}

function hidePoint(chart) {
  chart.parentElement.querySelector('.chart-note')?.remove();
  chart.querySelector('.chart-cursor')?.removeAttribute('transform');
}

dashboard?.addEventListener('pointermove', (event) => {
  const chart = event.target.closest('svg.chart');
  if (chart) showPoint(chart, event);
});
dashboard?.addEventListener('pointerout', (event) => {
  const chart = event.target.closest('svg.chart');
  if (chart && !chart.contains(event.relatedTarget)) hidePoint(chart);
});
