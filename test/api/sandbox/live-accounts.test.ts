import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectData, expectError } from '../../support/api-client.ts';
import { type LiveServer, startLiveServer } from '../../support/live-server.ts';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const UPLOAD = '/api/v1/sandbox/replays';

let live: LiveServer;
beforeAll(async () => {
  live = await startLiveServer('sqlite');
});
afterAll(() => live?.stop());

test('a live account has no sandbox tools: no recording, replay, test clock or reset', async () => {
  const { api, baseUrl, tenantId, owner } = live;
  const { paths } = (await api.bare.get('/openapi.json')).body as unknown as Document;
  const operations = Object.entries(paths).filter(([path]) => path.startsWith('/api/v1/sandbox/') && path !== UPLOAD);
  expect(operations.length).toBeGreaterThan(8);
  for (const [path, methods] of operations) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const own = path.slice('/api/v1'.length).replaceAll(/\{\w+\}/g, 'rcd_1');
      const body = requestBody?.content['application/json']?.example;
      const call = {
        get: () => api.admin.get(own),
        post: () => api.admin.post(own, body),
        put: () => api.admin.put(own, body),
        delete: () => api.admin.delete(own),
      }[method];
      if (call === undefined) throw new Error(`There is no call for ${method}.`);
      const { message } = await expectError(call(), 404, 'NOT_FOUND');
      expect(message, `${method} ${own}`).toContain('live account');
    }
  }

  const form = new FormData();
  form.set('reset', 'true');
  form.set('file', new Blob(['{}']), 'recording.jsonl');
  const headers = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${owner.token}` };
  const replayed = await fetch(baseUrl + UPLOAD, { method: 'POST', headers, body: form });
  expect([replayed.status, await replayed.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  expect(await expectData(api.admin.get('/audit-logs?action=sandbox.recording_started'))).toEqual([]);
});
