/** URL scheme that the operating system passes to the application. */
export const LINK_SCHEME = 'paydesk';

const LENGTH_MAX = 512;

type Validator = (value: string) => boolean;

interface Screen {
  path: string;
  /** Accepted parameters with their validators; any other parameter makes the whole link invalid. */
  parameters?: Record<string, Validator>;
  /** Validator of an `id`, which opens one record on the screen and excludes other parameters. */
  id?: Validator;
}

/** Returns a validator of IDs with a prefix. */
const isIdWithPrefix = (prefix: string): Validator => {
  const pattern = new RegExp(`^${prefix}_[0-9a-z]{1,40}$`);
  return (value) => pattern.test(value);
};

const SCREENS: Record<string, Screen> = {
  sale: {
    path: '/sell',
    parameters: {
      amount: (value) => /^\d{1,11}(\.\d{1,4})?$/.test(value),
      order: (value) => /^[\w .#/-]{1,64}$/.test(value),
      // A name, an email address or an ID.
      customer: (value) => /^[\p{L}\p{M}\p{N} .,'@+_-]{1,80}$/u.test(value),
    },
  },
  transactions: {
    path: '/transactions',
    parameters: { q: (value) => /^[\w .@+-]{1,64}$/.test(value) },
    id: isIdWithPrefix('txn'),
  },
  'refund-queue': { path: '/refund-queue', id: isIdWithPrefix('rdq') },
  customers: { path: '/customers', id: isIdWithPrefix('cus') },
  recurring: { path: '/recurring', id: isIdWithPrefix('sub') },
  invoices: { path: '/invoices', id: isIdWithPrefix('inv') },
  settlement: { path: '/settlement', id: isIdWithPrefix('stl') },
  reconciliation: { path: '/reconciliation' },
  reports: { path: '/reports' },
  messages: { path: '/messages' },
  webhooks: { path: '/webhooks', id: isIdWithPrefix('whe') },
  'api-keys': { path: '/api-keys' },
  users: { path: '/users' },
  settings: { path: '/settings' },
  audit: { path: '/audit' },
  system: { path: '/system' },
};

/**
 * Returns the path in the page's router that a `paydesk://` link opens, or undefined if any part of the link is invalid.
 * `paydesk://sale?amount=19.99&order=A-17&customer=Ann` fills in a form, `paydesk://transactions?q=…` a search, and
 * `paydesk://invoices?id=inv_…` opens one record. No link changes anything.
 */
export function screenPathOf(link: string): string | undefined {
  const url = link.length <= LENGTH_MAX ? URL.parse(link) : null;
  if (url?.protocol !== `${LINK_SCHEME}:` || !Object.hasOwn(SCREENS, url.hostname)) return undefined;
  const { path, parameters: accepted = {}, id: isId } = SCREENS[url.hostname] as Screen;
  const parameters = [...url.searchParams];
  const isPlain = url.host === url.hostname && ['', '/'].includes(url.pathname) && `${url.username}${url.password}${url.hash}` === '';
  if (!isPlain) return undefined;
  const [first] = parameters;
  if (first?.[0] === 'id') return parameters.length === 1 && isId?.(first[1]) ? `${path}/${first[1]}` : undefined;
  const names = new Set(parameters.map(([name]) => name));
  const isKnown = parameters.every(([name, value]) => Object.hasOwn(accepted, name) && accepted[name]?.(value));
  if (!isKnown || names.size !== parameters.length) return undefined;
  return parameters.length === 0 ? path : `${path}?${url.searchParams}`;
}

/** Returns the link among command-line arguments, as Windows and Linux pass it; undefined if there is none. */
export function findDeepLink(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.startsWith(`${LINK_SCHEME}:`));
}
