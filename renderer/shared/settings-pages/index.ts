export { SETTINGS_GROUPS, SETTINGS_PAGES } from './settings-pages.ts';
