export { AreaColumn } from './area-column.tsx';
export { FirstScreen } from './first-screen.tsx';
export { areaOf, guideAddressOf, PAGE_GROUPS, PAGES } from './pages.ts';
export { Rail, useRailWidth } from './rail.tsx';
export { matchesOf } from './search-rank.ts';
export { useMayOpen } from './use-pages-of.ts';
export { useSettingsIndex } from './use-settings-index.ts';
