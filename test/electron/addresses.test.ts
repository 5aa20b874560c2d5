import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkIn, screenOf } from '../../electron/deep-link.ts';
import { isLoadable, isOurs, isSavable } from '../../electron/trusted-url.ts';

const OURS = 'http://127.0.0.1:4801';

test.each([`${OURS}`, `${OURS}/`, `${OURS}/#/sell`, `${OURS}/docs?x=1`, 'HTTP://127.0.0.1:4801/', 'http://127.1:4801/'])(
  '%s is ours',
  (url) => {
    expect(isOurs(url, OURS)).toBe(true);
  },
);

test.each([
  '',
  '/',
  'about:blank',
  'http://127.0.0.1/',
  'http://127.0.0.1:48010/',
  'http://127.0.0.1:4801.evil.test/',
  'http://evil.test/?http://127.0.0.1:4801',
  'http://127.0.0.1:4801@evil.test/',
  'http://someone@127.0.0.1:4801/',
  'https://127.0.0.1:4801/',
  'http://localhost:4801/',
  'http://[::1]:4801/',
  'blob:http://127.0.0.1:4801/1',
  'filesystem:http://127.0.0.1:4801/1',
  'view-source:http://127.0.0.1:4801/',
  'file:///127.0.0.1:4801/',
  'javascript:1',
  'data:text/html,1',
  'paydesk://sale',
])('%j is not ours', (url) => {
  expect(isOurs(url, OURS)).toBe(false);
});

test('pages load from our server or from no network, and save what we made', () => {
  const urls = [
    `${OURS}/a.js`,
    'data:image/png;base64,AA',
    `blob:${OURS}/1`,
    'http://evil.test/a.js',
    'ws://127.0.0.1:4801/',
    'file:///a',
    'x',
  ];
  expect(urls.map((url) => isLoadable(url, OURS))).toEqual([true, true, true, false, false, false, false]);
  expect(urls.map((url) => isSavable(url, OURS))).toEqual([true, false, true, false, false, false, false]);
});

test.each([
  ['paydesk://sale', '/sell'],
  ['paydesk://sale/', '/sell'],
  ['PAYDESK://sale?amount=19.99', '/sell?amount=19.99'],
  ['paydesk://sale?amount=5&order=A-17&customer=ann@example.com', '/sell?amount=5&order=A-17&customer=ann%40example.com'],
  ['paydesk://sale?customer=Zoë%20O%27Neil', '/sell?customer=Zo%C3%AB+O%27Neil'],
  ['paydesk://sale?order=Table%207', '/sell?order=Table+7'],
  ['paydesk://transactions?q=4242', '/transactions?q=4242'],
])('%s opens %s', (link, screen) => {
  expect(screenOf(link)).toBe(screen);
});

const HOSTILE_LINKS = [
  '',
  'paydesk:',
  'paydesk:sale',
  'paydesk://',
  'paydesk:///sale',
  'paydesk://refund?transaction=txn_1',
  'paydesk://toString',
  'paydesk://__proto__',
  'paydesk://sale/charge',
  'paydesk://sale/../refund',
  'paydesk://sale:80',
  'paydesk://clerk@sale',
  'paydesk://sale#/settings',
  'paydesk://sale?charge=now',
  'paydesk://sale?toString=1',
  'paydesk://sale?__proto__=1',
  'paydesk://sale?amount=1&charge=true',
  'paydesk://sale?amount=1&amount=2',
  'paydesk://sale?amount=',
  'paydesk://sale?amount=-1',
  'paydesk://sale?amount=1e3',
  'paydesk://sale?amount=1,000',
  'paydesk://sale?amount=%31%00',
  'paydesk://sale?amount=1.23456',
  'paydesk://sale?amount=123456789012',
  'paydesk://sale?order=<img>',
  'paydesk://sale?order=a%0ab',
  `paydesk://sale?order=${'x'.repeat(65)}`,
  `paydesk://sale?customer=${'x'.repeat(81)}`,
  'paydesk://sale?customer=../settings',
  'paydesk://sale?card=4111111111111111',
  'paydesk://transactions?q=%22%3E%3Cscript%3E',
  'paydesk://transactions?status=voided',
  `paydesk://sale?order=a${'&'.repeat(512)}`,
  'http://sale?amount=1',
  'javascript://sale?amount=1',
  'paydesk-x://sale?amount=1',
];

test.each(HOSTILE_LINKS)('%j opens nothing', (link) => {
  expect(screenOf(link)).toBeUndefined();
});

test('whatever a link says, it opens nothing or one of two screens with the parameters they take', () => {
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom('paydesk://', 'sale', 'transactions', '?', '&', '=', 'amount', 'order', 'q', '1', '/', '#', '@', ':', '%00'),
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 12,
    },
  );
  const screens = /^\/(sell(\?((amount|order|customer)=[\w.%+-]*&?)*)?|transactions(\?q=[\w.%+-]*)?)$/;
  fc.assert(
    fc.property(parts, (pieces) => {
      const screen = screenOf(pieces.join(''));
      return screen === undefined || screens.test(screen);
    }),
    { numRuns: 5000 },
  );
});

test('the link is the argument that begins with the scheme', () => {
  expect(linkIn(['/opt/paydesk', '--flag', 'paydesk://sale'])).toBe('paydesk://sale');
  expect(linkIn(['/opt/paydesk', 'https://x/?paydesk://sale', ''])).toBeUndefined();
});
