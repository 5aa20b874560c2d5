/** The scheme that the operating system hands to us. */
export const LINK_SCHEME = 'paydesk';

const LENGTH_MAX = 512;

type Test = (value: string) => boolean;

interface Screen {
  path: string;
  /** The parameters it takes, each with its test; any other makes the whole link unknown. */
  takes?: Record<string, Test>;
  /** The test of an `id`, which opens one thing on the screen and comes with no other parameter. */
  id?: Test;
}

/** Returns an identifier with its prefix. */
const idOf = (prefix: string): Test => {
  const shape = new RegExp(`^${prefix}_[0-9a-z]{1,40}$`);
  return (value) => shape.test(value);
};

const SCREENS: Record<string, Screen> = {
  sale: {
    path: '/sell',
    takes: {
      amount: (value) => /^\d{1,11}(\.\d{1,4})?$/.test(value),
      order: (value) => /^[\w .#/-]{1,64}$/.test(value),
      // A name, an e-mail address or an identifier.
      customer: (value) => /^[\p{L}\p{M}\p{N} .,'@+_-]{1,80}$/u.test(value),
    },
  },
  transactions: {
    path: '/transactions',
    takes: { q: (value) => /^[\w .@+-]{1,64}$/.test(value) },
    id: idOf('txn'),
  },
  'refund-queue': { path: '/refund-queue', id: idOf('rdq') },
  customers: { path: '/customers', id: idOf('cus') },
  recurring: { path: '/recurring', id: idOf('sub') },
  invoices: { path: '/invoices', id: idOf('inv') },
  settlement: { path: '/settlement', id: idOf('stl') },
  reconciliation: { path: '/reconciliation' },
  reports: { path: '/reports' },
  messages: { path: '/messages' },
  webhooks: { path: '/webhooks', id: idOf('whe') },
  'api-keys': { path: '/api-keys' },
  users: { path: '/users' },
  settings: { path: '/settings' },
  audit: { path: '/audit' },
  system: { path: '/system' },
};

/**
 * Returns the path in the page's router that a `paydesk://` link opens, or undefined if any character of it is invalid.
 * `paydesk://sale?amount=19.99&order=A-17&customer=Ann` fills in a form, `paydesk://transactions?q=…` a search, and
 * `paydesk://invoices?id=inv_…` opens one record: no link acts.
 */
export function screenOf(link: string): string | undefined {
  const url = link.length <= LENGTH_MAX ? URL.parse(link) : null;
  if (url?.protocol !== `${LINK_SCHEME}:` || !Object.hasOwn(SCREENS, url.hostname)) return undefined;
  const { path, takes = {}, id: isId } = SCREENS[url.hostname] as Screen;
  const given = [...url.searchParams];
  const isPlain = url.host === url.hostname && ['', '/'].includes(url.pathname) && `${url.username}${url.password}${url.hash}` === '';
  if (!isPlain) return undefined;
  const [first] = given;
  if (first?.[0] === 'id') return given.length === 1 && isId?.(first[1]) ? `${path}/${first[1]}` : undefined;
  const names = new Set(given.map(([name]) => name));
  const isKnown = given.every(([name, value]) => Object.hasOwn(takes, name) && takes[name]?.(value));
  if (!isKnown || names.size !== given.length) return undefined;
  return given.length === 0 ? path : `${path}?${url.searchParams}`;
}

/** The link among a program's arguments; Windows and Linux hand it over so. */
export function linkIn(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.startsWith(`${LINK_SCHEME}:`));
}
