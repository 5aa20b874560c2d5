import { expect, test } from 'vitest';
import { SETTINGS, SETTINGS_PAGES } from '../../../renderer/shared/settings-pages/index.ts';
import { filesOf } from '../../support/sources.ts';

/** Names that say nothing without their group, or repeat the name of their page. */
const NOT_SEARCHED = new Set([
  'Name',
  'Rate',
  'Role',
  'Merchant',
  'Port',
  'Password',
  'Sender',
  'Auth token',
  'Security',
  'Language',
  'Percentage',
  'Fixed amount',
  'Maximum',
  'Of people, after',
  'Of API keys, after',
]);
const SETTING = /<(?:TextSetting|NumberSetting|SwitchSetting|ChoiceSetting|LinesSetting)\b[^>]*?label=\{t\(\s*'((?:[^'\\]|\\.)*)'/gs;

test('forms of Settings take the names of their settings from the list that the search reads, on pages that exist', () => {
  const files = filesOf('renderer/screens/settings', ['.tsx']).filter(({ path }) =>
    /settings\/(?:[\w-]+\/)?[\w-]+-tab\.tsx$|form-tabs/.test(path),
  );
  const written = files.flatMap(({ text }) => [...text.matchAll(SETTING)].map(([, name = '']) => name));
  expect(written.filter((name) => !NOT_SEARCHED.has(name))).toEqual([]);
  expect(SETTINGS.length).toBeGreaterThan(40);
  const pages = new Set(SETTINGS_PAGES.map(({ path }) => path));
  expect(SETTINGS.filter(({ path }) => !pages.has(path))).toEqual([]);
});
