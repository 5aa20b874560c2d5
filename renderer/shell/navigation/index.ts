export { AreaColumn } from './area-column.tsx';
export { FirstScreen } from './first-screen.tsx';
export { areaOf, PAGE_GROUPS, PAGES } from './pages.ts';
export { Rail, useRailWidth } from './rail.tsx';
