/** The scheme that the operating system hands to us. */
export const LINK_SCHEME = 'paydesk';

const LENGTH_MAX = 512;

interface Screen {
  path: string;
  /** The parameters it takes, each with its test; any other makes the whole link unknown. */
  takes: Record<string, (value: string) => boolean>;
}

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
  },
};

/**
 * The path in the page's router that a `paydesk://` link opens, or undefined when it is not one of ours in every character.
 * `paydesk://sale?amount=19.99&order=A-17&customer=Ann` fills in a form and `paydesk://transactions?q=…` a search: no link acts.
 */
export function screenOf(link: string): string | undefined {
  const url = link.length <= LENGTH_MAX ? URL.parse(link) : null;
  if (url?.protocol !== `${LINK_SCHEME}:` || !Object.hasOwn(SCREENS, url.hostname)) return undefined;
  const { path, takes } = SCREENS[url.hostname] as Screen;
  const given = [...url.searchParams];
  const names = new Set(given.map(([name]) => name));
  const isPlain = url.host === url.hostname && ['', '/'].includes(url.pathname) && `${url.username}${url.password}${url.hash}` === '';
  const isKnown = given.every(([name, value]) => Object.hasOwn(takes, name) && takes[name]?.(value));
  if (!isPlain || !isKnown || names.size !== given.length) return undefined;
  return given.length === 0 ? path : `${path}?${url.searchParams}`;
}

/** The link among a program's arguments; Windows and Linux hand it over so. */
export function linkIn(argv: readonly string[]): string | undefined {
  return argv.find((argument) => argument.startsWith(`${LINK_SCHEME}:`));
}
