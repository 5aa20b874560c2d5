export { SETTING_NAMES, SETTINGS, settingState } from './settings.ts';
export { SETTINGS_GROUPS, SETTINGS_PAGES } from './settings-pages.ts';
export { useRequestedSetting } from './use-requested-setting.ts';
