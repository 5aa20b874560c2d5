import { t } from '#renderer/base/language';
import { useMay, useMe } from '#renderer/session/user';
import { SETTINGS, SETTINGS_PAGES, settingState } from '#renderer/shared/settings-pages';

/** A page of Settings or a single setting. */
export interface SettingsEntry {
  readonly id: string;
  readonly path: string;
  /** Name of the page or of the setting. */
  readonly name: string;
  /** Name of the page of a setting; null for a page. */
  readonly page: string | null;
  /** Name in a list of other things. */
  readonly label: string;
  readonly words: string;
  /** State of the navigation, by which the page finds its setting. */
  readonly state?: object;
}

/** Returns the pages of Settings and the settings that the user may open. */
export function useSettingsIndex(): readonly SettingsEntry[] {
  const may = useMay();
  const { user } = useMe();
  const pages = SETTINGS_PAGES.filter(
    ({ path, permission, isOfAccount = false }) =>
      may(permission) && (!isOfAccount || user.merchantId === null) && (!path.startsWith('/settings/') || may('merchants:read')),
  );
  const settings = SETTINGS.flatMap(({ name, path }): SettingsEntry[] => {
    const page = pages.find((each) => each.path === path);
    if (!page) return [];
    const label = t('{{page}}: {{name}}', { page: page.name, name });
    return [{ id: `setting ${path} ${name}`, path, name, page: page.name, label, words: name, state: settingState(name) }];
  });
  return [
    ...pages.map(({ path, name, words }) => ({
      id: `place ${path}`,
      path,
      name,
      page: null,
      label: t('Settings: {{name}}', { name }),
      words: `${name} ${words}`,
    })),
    ...settings,
  ];
}
