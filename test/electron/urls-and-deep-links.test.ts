import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDeepLink, screenPathOf } from '../../electron/deep-link.ts';
import { isLoadable, isProviderAddress, isSavable, isServerUrl } from '../../electron/trusted-url.ts';

const SERVER_URL = 'http://127.0.0.1:4801';

test.each(['https://login.harbor.example/authorize?state=1', 'http://127.0.0.1:9000/auth', 'http://localhost:9000/auth'])(
  'opens %s as the address of a provider in the browser of the system',
  (url) => {
    expect(isProviderAddress(url)).toBe(true);
  },
);

test.each([
  '',
  'http://login.harbor.example/',
  'http://127.0.0.1.evil.test/',
  'https://someone@login.harbor.example/',
  'file:///etc/passwd',
  'paydesk://sale',
  'javascript:1',
  'ms-settings:network',
  `https://login.harbor.example/${'x'.repeat(5_000)}`,
])('refuses to open %j in another program', (url) => {
  expect(isProviderAddress(url)).toBe(false);
});

test.each([
  `${SERVER_URL}`,
  `${SERVER_URL}/`,
  `${SERVER_URL}/#/sell`,
  `${SERVER_URL}/docs?x=1`,
  'HTTP://127.0.0.1:4801/',
  'http://127.1:4801/',
])('accepts %s as a URL of the server', (url) => {
  expect(isServerUrl(url, SERVER_URL)).toBe(true);
});

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
])('refuses %j as a URL of the server', (url) => {
  expect(isServerUrl(url, SERVER_URL)).toBe(false);
});

test('lets pages load only from the server or without a network, and save only content of the server or of pages', () => {
  const urls = [
    `${SERVER_URL}/a.js`,
    'data:image/png;base64,AA',
    `blob:${SERVER_URL}/1`,
    'http://evil.test/a.js',
    'ws://127.0.0.1:4801/',
    'file:///a',
    'x',
  ];
  expect(urls.map((url) => isLoadable(url, SERVER_URL))).toEqual([true, true, true, false, false, false, false]);
  expect(urls.map((url) => isSavable(url, SERVER_URL))).toEqual([true, false, true, false, false, false, false]);
});

test.each([
  ['paydesk://sale', '/sell'],
  ['paydesk://sale/', '/sell'],
  ['PAYDESK://sale?amount=19.99', '/sell?amount=19.99'],
  ['paydesk://sale?amount=5&order=A-17&customer=ann@example.com', '/sell?amount=5&order=A-17&customer=ann%40example.com'],
  ['paydesk://sale?customer=Zoë%20O%27Neil', '/sell?customer=Zo%C3%AB+O%27Neil'],
  ['paydesk://sale?order=Table%207', '/sell?order=Table+7'],
  ['paydesk://transactions?q=4242', '/transactions?q=4242'],
  ['paydesk://transactions?id=txn_01kad8y7z6x5w4v3u2t1s0r9q8', '/transactions/txn_01kad8y7z6x5w4v3u2t1s0r9q8'],
  ['paydesk://refund-queue', '/refund-queue'],
  ['paydesk://refund-queue?id=rdq_1', '/refund-queue/rdq_1'],
  ['paydesk://customers?id=cus_1', '/customers/cus_1'],
  ['paydesk://recurring?id=sub_1', '/recurring/sub_1'],
  ['paydesk://invoices?id=inv_1', '/invoices/inv_1'],
  ['paydesk://settlement?id=stl_1', '/settlement/stl_1'],
  ['paydesk://webhooks?id=whe_1', '/webhooks/whe_1'],
  ['paydesk://reports', '/reports'],
  ['paydesk://settings', '/settings'],
])('maps the link %s to the screen %s', (link, screen) => {
  expect(screenPathOf(link)).toBe(screen);
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
  'paydesk://transactions?id=cus_1',
  'paydesk://transactions?id=txn_1&q=4242',
  'paydesk://transactions?q=4242&id=txn_1',
  'paydesk://transactions?id=txn_1%2Frefund',
  'paydesk://transactions?id=TXN_1',
  'paydesk://transactions?id=',
  'paydesk://invoices?id=inv_1/pay',
  'paydesk://invoices?id=inv_1&act=pay',
  'paydesk://invoices/inv_1',
  'paydesk://sale?id=txn_1',
  'paydesk://reports?id=txn_1',
  'paydesk://settings?tab=gateways',
  `paydesk://sale?order=a${'&'.repeat(512)}`,
  'http://sale?amount=1',
  'javascript://sale?amount=1',
  'paydesk-x://sale?amount=1',
];

test.each(HOSTILE_LINKS)('ignores the link %j', (link) => {
  expect(screenPathOf(link)).toBeUndefined();
});

test('maps any link to nothing or to a known screen with its accepted parameters', () => {
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(
        'paydesk://',
        'sale',
        'transactions',
        'invoices',
        '?',
        '&',
        '=',
        'amount',
        'order',
        'q',
        'id',
        'inv_',
        '1',
        '/',
        '#',
        '@',
        ':',
        '%00',
      ),
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 12,
    },
  );
  const screens = /^\/(sell(\?((amount|order|customer)=[\w.%+-]*&?)*)?|transactions(\?q=[\w.%+-]*|\/txn_\w+)?|invoices(\/inv_\w+)?)$/;
  fc.assert(
    fc.property(parts, (pieces) => {
      const screen = screenPathOf(pieces.join(''));
      return screen === undefined || screens.test(screen);
    }),
    { numRuns: 5000 },
  );
});

test('finds the link as the argument that starts with the scheme', () => {
  expect(findDeepLink(['/opt/paydesk', '--flag', 'paydesk://sale'])).toBe('paydesk://sale');
  expect(findDeepLink(['/opt/paydesk', 'https://x/?paydesk://sale', ''])).toBeUndefined();
});
