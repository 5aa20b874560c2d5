import { ArrowRight, FilePlus, Hash, type LucideIcon, Repeat, Settings, SquareTerminal, UserSearch } from 'lucide-react';
import { useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { EVERYWHERE, useShortcutList } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { useFoundRecords } from './found-records.ts';
import { matchesOf, PAGE_GROUPS, PAGES, useSettingsIndex } from './navigation/index.ts';
import { PLACES } from './places.ts';
import { useRecentPages } from './recent-pages.ts';
import type { Command } from './use-commands.ts';

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

/** Actions that open another screen. */
const CREATE_ACTIONS: readonly { readonly label: string; readonly icon: LucideIcon; readonly path: string; readonly permission: string }[] =
  [
    { label: t('New invoice'), icon: FilePlus, path: '/invoices/new', permission: 'invoices:write' },
    { label: t('New subscription'), icon: Repeat, path: '/recurring?new=1', permission: 'recurring:write' },
  ];

/** Commands that the palette does not offer: itself, and the search that typing starts. */
const NOT_OFFERED: ReadonlySet<Command['id']> = new Set(['palette', 'find-transaction']);

/**
 * Returns the options of the palette: without a text recent pages first; with one, the matching pages, tabs, settings and actions, then the search
 * for it, and the records that it finds. The search stays before the records, so that Enter does the same before and after they are found.
 */
export function usePaletteOptions(commands: readonly Command[], typed: string): readonly Option[] {
  const navigate = useNavigate();
  const may = useMay();
  const recent = useRecentPages();
  const screenShortcuts = useShortcutList().filter(({ group }) => group !== EVERYWHERE);
  const go = (path: string, state?: object) => () => void navigate(path, { state });

  const pages = PAGES.filter(({ permission }) => may(permission)).map(
    ({ path, name, words, icon, keys }): Option => ({ id: path, label: name, words, group: t('Pages'), icon, keys, run: go(path) }),
  );
  const onScreen = screenShortcuts
    .flatMap(({ shortcuts }) => shortcuts)
    .map(
      ({ keys, label, run }): Option => ({
        id: `key ${keys} ${label}`,
        label,
        group: t('On this screen'),
        icon: SquareTerminal,
        keys,
        run,
      }),
    );
  const labels = new Set(onScreen.map(({ label }) => label));
  const actions = [
    ...CREATE_ACTIONS.filter(({ permission, label }) => may(permission) && !labels.has(label)).map(
      ({ label, icon, path }): Option => ({ id: `create ${path}`, label, group: t('Actions'), icon, run: go(path) }),
    ),
    ...commands
      .filter(({ id }) => !NOT_OFFERED.has(id))
      .map(({ id, label, keys, run }): Option => ({ id, label, group: t('Actions'), icon: SquareTerminal, keys, run })),
  ];
  const subPages = PAGE_GROUPS.flatMap((group) => group.pages).flatMap(({ children = [] }) => children);
  const { isDesktop } = useDesktop();
  const places = [...subPages, ...PLACES]
    .filter(({ permission, path }) => may(permission) && (isDesktop || path !== '/system/application'))
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
    ({ path, label, group }): Option => ({ id: `record ${path}`, label, group, icon: Hash, run: go(path) }),
  );
  if (typed === '') return [...recent.flatMap(recentOption), ...onScreen, ...actions, ...pages];
  const groups = [
    [...pages, ...places, ...settings.filter(({ isPage }) => isPage)],
    onScreen,
    actions,
    settings.filter(({ isPage }) => !isPage),
  ];
  const matching = groups.flatMap((options) => matchesOf(options, typed));
  return [...matching, ...searchOptions(), ...records];

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
