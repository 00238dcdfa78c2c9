import type { ViewModel } from '../../../../framework';
import { versionKey, type AccessState } from '../../actions/access-map/access-state';
import { ACCESS_MAP_PATH, accessLayers } from '../../actions/access-map/access-map';
import { buildAccessMap, type NamedGap } from '../../actions/access-map/build-access-map';
import { limitLayers } from '../../actions/access-map/limit-layers';
import {
  groupVersions,
  single,
  versionsLike,
  type VersionGroup,
} from '../../actions/access-map/version-groups';
import type { AdminPage, PageContext } from '../../pages/admin-page';
import { pageOf, searchIn } from '../../pages/paging';
import { groupWarnings, splitWarnings } from '../../pages/warning-groups';
import { layoutPicture } from '../../pictures/layered-layout';
import { toSvg } from '../../pictures/svg';
import type { AdminServices } from '../../services';
import { accessPicture, LAYER_TITLES } from './access-picture';
import { accessRows } from './access-rows';

/** How many API versions a page shows. */
const PAGE_SIZE = 20;
/** How many nodes a column has at most. */
const MAX_NODES = 24;
/** How many gaps of a kind are listed. */
const MAX_GAPS = 20;
const SIZE = { columnWidth: 172, columnGap: 36, columnsPerRow: accessLayers.length };

/** The page that shows who may call what. */
export function accessMapScreen(services: AdminServices): readonly AdminPage[] {
  return [
    { name: 'access-map', pattern: ACCESS_MAP_PATH, GET: async (context) => await show(services, context) },
  ];
}

async function show({ changes, accessReader }: AdminServices, context: PageContext): Promise<ViewModel> {
  const { running } = changes;
  const { query, url } = context;
  const { state, gaps } = await accessReader.read();
  const { groups, isFiltered } = selectVersions(state, query);
  const paging = pageOf(query, groups.length, PAGE_SIZE);
  const shown = groups.slice(paging.from, paging.to);
  const map = limitLayers(buildAccessMap(state, shown, !isFiltered && paging.page === 1), MAX_NODES);
  const svg = toSvg(layoutPicture(accessPicture(map, url), SIZE), {
    id: 'access',
    title: 'Access map',
    description:
      'API versions on the left, the adapters that guard them, the users of the adapters, and their groups. The table below has the same content.',
  });
  return context.show('access-map', {
    svg,
    rows: accessRows(map),
    titles: accessLayers.map((layer) => LAYER_TITLES[layer]),
    gapGroups: byName(gaps),
    gapCount: gaps.length,
    warningGroups: groupWarnings(splitWarnings(running.warnings).onAccessMap),
    search: searchIn(query).text,
    like: query.get('like'),
    onlyGaps: query.get('gaps') === 'yes',
    isLong: state.versions.length > PAGE_SIZE / 2,
    isEmpty: shown.length === 0,
    paging,
  });
}

/** The versions that match the query, those with gaps first. */
function selectVersions(
  state: AccessState,
  query: URLSearchParams,
): { readonly groups: readonly VersionGroup[]; readonly isFiltered: boolean } {
  const like = query.get('like');
  const { text, matches } = searchIn(query);
  const onlyGaps = query.get('gaps') === 'yes';
  const own = like === null ? state.versions : versionsLike(state.versions, like);
  const found = own.filter((version) => matches(`${versionKey(version)} ${version.api} v${version.version}`));
  const groups = (like === null ? groupVersions(found) : found.map(single)).map((group) => ({
    group,
    hasGap: buildAccessMap(state, [group], false).nodes.some(({ gaps }) => gaps.length > 0),
  }));
  const sorted = [...groups].sort((a, b) => Number(b.hasGap) - Number(a.hasGap));
  return {
    groups: sorted.filter(({ hasGap }) => hasGap || !onlyGaps).map(({ group }) => group),
    isFiltered: like !== null || text !== '' || onlyGaps,
  };
}

interface GapGroup {
  readonly name: string;
  readonly count: number;
  /** The first ones. */
  readonly gaps: readonly NamedGap[];
}

function byName(gaps: readonly NamedGap[]): readonly GapGroup[] {
  return [...new Set(gaps.map(({ name }) => name))].map((name) => {
    const own = gaps.filter((gap) => gap.name === name);
    return { name, count: own.length, gaps: own.slice(0, MAX_GAPS) };
  });
}
