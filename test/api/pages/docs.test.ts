import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ERRORS } from '#core/kernel';
import { SANDBOX_CARDS } from '#core/processing/gateways';
import { describeOnAnyDatabase, expectError, FULL, startTestServer } from '../../support/server.ts';

const OPERATION = /^\/docs\/operations\//;

const run = promisify(execFile);

const linksOf = (page: string) => [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address ?? '');
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describeOnAnyDatabase('the documentation', (fixture) => {
  const page = async (path: string) => {
    const answer = await fixture().api.bare.get(path);
    expect(answer.status, path).toBe(200);
    return answer;
  };

  test('consists of pages of this server whose links lead to pages of this server', FULL, async () => {
    const home = await page('/docs');
    expect(home.headers.get('content-type')).toContain('text/html');
    const operation = await page('/docs/operations/public.createTransaction');
    const addresses = new Set([...linksOf(home.text), ...linksOf(operation.text), ...linksOf((await page('/docs/errors')).text)]);
    expect(addresses.size).toBeGreaterThan(300);
    for (const address of addresses) expect(address).toMatch(/^\/(docs|openapi\.json)/);
    await Promise.all([...addresses].map(page));
    const unknown = fixture().api.bare.get('/docs/operations/public.unknown');
    expect((await expectError(unknown, 404, 'NOT_FOUND')).message).toBe('There is no route GET /docs/operations/public.unknown.');
  });

  test('serves every guide as a page and as Markdown, listed for programs, with links that lead somewhere', async () => {
    const list = await page('/llms.txt');
    expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const addresses = [...list.text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(40);
    const guides = addresses.filter((address) => address.startsWith('/docs/guides/'));
    for (const address of guides) {
      const text = await page(address);
      expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const shown = await page(address.replace(/\.md$/, ''));
      expect(textOf(shown.text)).toContain(text.text.split('\n')[0]?.replace('# ', ''));
      for (const link of [...text.text.matchAll(/\]\((\/[^)#]+)/g)].map(([, to = '']) => to)) addresses.push(link);
      for (const link of linksOf(shown.text).filter((to) => to.startsWith('/docs/guides/'))) addresses.push(link);
    }
    await Promise.all([...new Set(addresses)].filter((address) => !OPERATION.test(address)).map(page));
    expect((await page('/docs/guides/refunds')).text).toContain('aria-current="page"');
    for (const path of ['/docs/guides/decisions/README', '/docs/guides/..%2f..%2fpackage.json', '/docs/guides/performance'])
      expect((await fixture().api.bare.get(path)).status).toBe(404);
  });

  test('serves every other page as Markdown, too, without what only works in a browser', async () => {
    const list = (await page('/llms.txt')).text;
    const operations = [...list.matchAll(/\]\((\/docs\/operations\/[^)]+)\.md\)/g)].map(([, address = '']) => address);
    expect(operations.length).toBeGreaterThan(400);
    const { text, headers } = await page('/docs/operations/public.createTransaction.md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toMatch(/^# Sale by card or ACH\n\nPOST `\/api\/v1\/public\/transaction`\n/);
    expect(text).toContain('curl -X POST');
    expect(text).toMatch(/\| `?CardNumber`?/);
    for (const only of ['Send request', 'Copy', 'Use card', 'urllib', '<']) expect(text).not.toContain(only);
    for (const [, link = ''] of text.matchAll(/\]\((\/docs[^)]*)\)/g)) {
      expect(link).toMatch(/\.md$/);
      await page(link);
    }
    for (const path of [
      '/docs',
      '/docs/errors',
      '/docs/errors/NOT_FOUND',
      '/docs/permissions',
      '/docs/webhooks',
      '/docs/sandbox',
      '/docs/changelog',
    ])
      expect((await page(`${path}.md`)).text).toMatch(/^# \S/);
    await expectError(fixture().api.bare.get('/docs/operations/public.unknown.md'), 404, 'NOT_FOUND');
  });

  test('explains every error code, and each error response links to its page', async () => {
    const pages = await Promise.all(Object.keys(ERRORS).map((code) => page(`/docs/errors/${code}`)));
    for (const { text } of pages) expect(text).toContain('What to do');
    const { api } = fixture();
    for (const answer of [
      await api.public.get('/transaction/txn_x'),
      await api.admin.get('/transactions/txn_x'),
      await api.sdk.get('/query/txn_x'),
      await api.bare.get('/api/v1/nowhere'),
    ])
      expect(answer.body.error.docUrl).toBe(`/docs/errors/${answer.body.error.code}`);
  });

  test('lists all sandbox cards, also beside the form of a sale', FULL, async () => {
    for (const path of ['/docs', '/docs/sandbox', '/docs/operations/public.createTransaction'])
      for (const number of Object.keys(SANDBOX_CARDS)) expect((await page(path)).text).toContain(`<code>${number}</code>`);
    expect((await page('/docs/changelog')).text).toContain('0.1.0');
  });

  test('names the surface of an API key that was sent to the Admin surface', async () => {
    const { api, credentials } = fixture();
    const { apiKey, tenantId } = credentials;
    const sent: Record<string, string>[] = [{ 'x-api-key': apiKey }, { Authorization: `Bearer ${apiKey}` }];
    for (const headers of sent) {
      const { status, body } = await api.bare.get('/api/v1/transactions', { ...headers, 'X-Tenant-ID': tenantId });
      expect(status).toBe(401);
      expect(body.error.message).toContain('/api/v1/public');
    }
  });

  test('shows code in five languages; that for curl, Node, Python and PHP sells', FULL, async () => {
    const { text } = await page('/docs/operations/public.createTransaction');
    const { baseUrl, credentials } = fixture();
    const codes = [...text.matchAll(/<code data-snippet>([\s\S]*?)<\/code>/g)].map(([, code]) =>
      textOf(code ?? '')
        .replaceAll('http://127.0.0.1:4801', baseUrl)
        .replaceAll('YOUR_API_KEY', credentials.apiKey)
        .replaceAll('YOUR_TENANT_ID', credentials.tenantId)
        .replaceAll('order-1001', () => crypto.randomUUID()),
    );
    expect(codes).toHaveLength(5);
    const [curl = '', node = '', python = '', php = ''] = codes;
    const outputs = [
      await run('sh', ['-c', `${curl} -s`]),
      await run(process.execPath, ['--input-type=module', '-e', node]),
      ...((await has('python3')) ? [await run('python3', ['-c', python])] : []),
      ...((await has('php')) ? [await run('php', ['-r', php.replace('<?php', '')])] : []),
    ];
    for (const { stdout } of outputs) expect(stdout).toMatch(/['"]?status['"\]]*(?:: ?|=>\s*string\(8\) )['"]approved['"]/);
  });

  test('answers 304 to the ETag of a large answer, and compresses it', async () => {
    const { baseUrl } = fixture();
    const first = await fetch(`${baseUrl}/openapi.json`, { headers: { 'accept-encoding': 'br' } });
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(((await first.json()) as { openapi: string }).openapi).toBe('3.1.0');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${baseUrl}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const list = await fixture().api.admin.get('/transactions?limit=50');
    const unchanged = await fixture().api.admin.get('/transactions?limit=50', { 'if-none-match': list.headers.get('etag') ?? '' });
    expect(unchanged.status).toBe(304);
  });

  test('gives the credentials of the demo to programs on this computer', async () => {
    const { api, credentials } = fixture();
    expect((await api.bare.get('/docs/credentials.json')).text).toContain(credentials.apiKey);
  });
});

const has = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  );

test('keeps credentials out of the documentation of a server without the demo', async () => {
  const started = await startTestServer('sqlite', {}, 'none');
  try {
    expect(await (await fetch(`${started.server.baseUrl}/docs/credentials.json`)).text()).toBe('{}');
  } finally {
    await started.stop();
  }
});
