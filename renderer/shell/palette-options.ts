import { ArrowRight, Hash, type LucideIcon, Settings, SquareArrowOutUpRight, SquareTerminal, UserSearch } from 'lucide-react';
import { useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { EVERYWHERE, requestAction, useShortcutList } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { useFoundRecords } from './found-records.ts';
import { matchesOf, PAGE_GROUPS, PAGES, useSettingsIndex } from './navigation/index.ts';
import { PLACES } from './places.ts';
import { useRecentPages } from './recent-pages.ts';
import { SCREEN_ACTIONS } from './screen-actions.ts';

/** An option of the command palette. */
export interface Option {
  readonly id: string;
  readonly label: string;
  /** Other words that find the option. */
  readonly words?: string;
  /** Heading of the options. */
  readonly group: string;
  readonly icon: LucideIcon;
  readonly keys?: string;
  readonly run: () => void;
  /** True for a record of which the text is the whole number, name or address. */
  readonly isExact?: boolean;
}

/** Number of characters of an ID that name a recent record. */
const RECENT_ID_LENGTH = 6;

/** Records that a pasted ID opens, for users who may see them. */
const RECORD_KINDS: readonly { readonly pattern: RegExp; readonly what: string; readonly path: string; readonly permission: string }[] = [
  { pattern: /^txn_[0-9A-Za-z]+$/, what: t('transaction'), path: '/transactions', permission: 'transactions:read' },
  { pattern: /^ord_[0-9A-Za-z]+$/, what: t('sale'), path: '/orders', permission: 'transactions:read' },
  { pattern: /^cus_[0-9A-Za-z]+$/, what: t('customer'), path: '/customers', permission: 'customers:read' },
  { pattern: /^sub_[0-9A-Za-z]+$/, what: t('subscription'), path: '/recurring', permission: 'recurring:read' },
  { pattern: /^msg_[0-9A-Za-z]+$/, what: t('message'), path: '/messages', permission: 'notifications:read' },
  { pattern: /^evt_[0-9A-Za-z]+$/, what: t('event'), path: '/events', permission: 'webhooks:read' },
  { pattern: /^inv_[0-9A-Za-z]+$/, what: t('invoice'), path: '/invoices', permission: 'invoices:read' },
];

/** Tabs of System in the desktop application only. */
const OF_DESKTOP: readonly string[] = ['/system/updates', '/system/logs', '/system/application'];

/** Keys of shortcuts that the palette does not offer: itself, the search that typing starts, and the end of a panel. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['Mod+K', 'F9', 'Escape']);

/**
 * Returns the options of the palette: without a text recent pages first; with one, the matching pages, tabs, settings and actions, then the search
 * for it, and the records that it finds. A record with exactly this number, name or address comes first.
 */
export function usePaletteOptions(typed: string): readonly Option[] {
  const navigate = useNavigate();
  const may = useMay();
  const recent = useRecentPages();
  const shortcuts = useShortcutList();
  const go = (path: string, state?: object) => () => void navigate(path, { state });

  const pages = PAGES.filter(({ permission }) => may(permission)).map(
    ({ path, name, words, icon, keys }): Option => ({ id: path, label: name, words, group: t('Pages'), icon, keys, run: go(path) }),
  );
  const shortcutsOf = (isEverywhere: boolean): readonly Option[] =>
    shortcuts
      .filter(({ group }) => (group === EVERYWHERE) === isEverywhere)
      .flatMap((group) => group.shortcuts)
      .filter(({ keys }) => !NOT_OFFERED.has(keys))
      .map(({ keys, label, words, run }) => ({
        id: `key ${keys} ${label}`,
        label,
        ...(words !== undefined && { words }),
        group: isEverywhere ? t('Actions') : t('On this screen'),
        icon: SquareTerminal,
        keys,
        run,
      }));
  const onScreen = shortcutsOf(false);
  const labels = new Set(onScreen.map(({ label }) => label));
  const actions = [
    ...shortcutsOf(true),
    ...SCREEN_ACTIONS.filter(({ permission, label }) => may(permission) && !labels.has(label)).map(
      ({ path, label, name, words }): Option => ({
        id: `action ${path} ${label}`,
        label: name ?? label,
        words,
        group: t('Actions'),
        icon: SquareArrowOutUpRight,
        run: () => {
          requestAction(label);
          void navigate(path);
        },
      }),
    ),
  ];
  const subPages = PAGE_GROUPS.flatMap((group) => group.pages).flatMap(({ children = [] }) => children);
  const { isDesktop } = useDesktop();
  const places = [...subPages, ...PLACES]
    .filter(({ permission, path }) => may(permission) && (isDesktop || !OF_DESKTOP.includes(path)))
    .map(
      ({ path, name, words }): Option => ({ id: `place ${path}`, label: name, words, group: t('Pages'), icon: ArrowRight, run: go(path) }),
    );
  const settings = useSettingsIndex()
    .filter(({ page, path }) => page !== null || path.startsWith('/settings/'))
    .map(({ path, label, words, page, state, id }): Option & { readonly isPage: boolean } => ({
      id,
      label,
      words,
      group: page === null ? t('Pages') : t('Settings'),
      icon: page === null ? ArrowRight : Settings,
      run: go(path, state),
      isPage: page === null,
    }));
  const records = useFoundRecords(typed).map(
    ({ path, label, group, isExact }): Option => ({ id: `record ${path}`, label, group, icon: Hash, run: go(path), isExact }),
  );
  if (typed === '') return [...recent.flatMap(recentOption), ...onScreen, ...actions, ...pages];
  const groups = [
    [...pages, ...places, ...settings.filter(({ isPage }) => isPage)],
    onScreen,
    actions,
    settings.filter(({ isPage }) => !isPage),
  ];
  const isNamed = ({ label }: Option) => label.toLowerCase() === typed.toLowerCase();
  const matching = groups.flatMap((options) => matchesOf(options, typed));
  const exact = records.filter((record) => record.isExact);
  const others = [
    ...matching.filter(isNamed),
    ...matching.filter((option) => !isNamed(option)),
    ...searchOptions(),
    ...records.filter((record) => !record.isExact),
  ];
  // The highlight stays at the option with its ID. Other IDs let it return to the first option.
  return exact.length === 0 ? others : [...exact, ...others.map((option) => ({ ...option, id: `other ${option.id}` }))];

  function recentOption(path: string): Option[] {
    const page = pages.find(({ id }) => path === id || path.startsWith(`${id}/`));
    if (page === undefined) return [];
    const id = path.slice(page.id.length + 1);
    const record = RECORD_KINDS.find(({ pattern }) => pattern.test(id));
    const label = record
      ? `${page.label}: ${record.what} …${id.slice(-RECENT_ID_LENGTH)}`
      : id === ''
        ? page.label
        : `${page.label}: ${id}`;
    return [{ id: `recent ${path}`, label, group: t('Recent'), icon: page.icon, run: go(path) }];
  }

  function searchOptions(): Option[] {
    const record = RECORD_KINDS.find(({ pattern, permission }) => pattern.test(typed) && may(permission));
    if (record) return [search('open', t('Open {{record}} {{id}}', { record: record.what, id: typed }), Hash, `${record.path}/${typed}`)];
    const query = `?${new URLSearchParams({ q: typed })}`;
    return [
      ...(may('transactions:read')
        ? [search('search', t('Find transactions matching “{{text}}”', { text: typed }), ArrowRight, `/transactions${query}`)]
        : []),
      ...(may('customers:read')
        ? [search('search-customers', t('Find customers matching “{{text}}”', { text: typed }), UserSearch, `/customers${query}`)]
        : []),
    ];
  }

  function search(id: string, label: string, icon: LucideIcon, path: string): Option {
    return { id, label, group: t('Search'), icon, run: go(path) };
  }
}
