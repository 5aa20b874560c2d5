import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startTestServer } from '../../support/server.ts';

const TEXTS = '{"Save":"Guardar"}';
const SCRIPT = "console.log('screens');";

test('sends the screens compressed, cached by their hash, with a content security policy', async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'paydesk-web-'));
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Paydesk</title>');
  await writeFile(join(webRoot, 'third-party-notices.txt'), 'MIT');
  await writeFile(join(webRoot, 'assets/index-4f3a.js'), SCRIPT);
  await writeFile(join(webRoot, 'assets/index-4f3a.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(webRoot, 'assets/es-77b2.json'), TEXTS);
  await writeFile(join(webRoot, 'assets/es-77b2.json.br'), brotliCompressSync(TEXTS));
  const { server, stop } = await startTestServer('sqlite', { webRoot }, 'none');
  try {
    const get = (path: string, encoding: string) => fetch(`${server.baseUrl}${path}`, { headers: { 'accept-encoding': encoding } });
    const compressed = await get('/assets/index-4f3a.js', 'br');
    expect(Object.fromEntries(compressed.headers)).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(await compressed.text()).toBe(SCRIPT);
    const plain = await get('/assets/index-4f3a.js', 'identity');
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT]);
    const texts = await get('/assets/es-77b2.json', 'br');
    expect(Object.fromEntries(texts.headers)).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('application/json'),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await texts.text()).toBe(TEXTS);
    for (const path of ['/', '/index.html']) {
      const page = await get(path, 'br');
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const notices = await get('/third-party-notices.txt', 'identity');
    expect([notices.status, notices.headers.get('content-type'), await notices.text()]).toEqual([200, 'text/plain; charset=utf-8', 'MIT']);
    for (const path of ['/assets/index-0000.js', '/assets/', '/assets/..%2Findex.html']) {
      const missing = await get(path, 'br');
      expect(missing.status, path).toBeGreaterThanOrEqual(400);
      expect(missing.status, path).toBeLessThan(500);
    }
  } finally {
    await stop();
    await rm(webRoot, { recursive: true, force: true });
  }
});
