// Program that delivers webhooks one after another, and reports by how many bytes its resident memory grew after a warm-up.
import { readFileSync } from 'node:fs';
import { createTrust } from '../../../core/platform/outbound/index.ts';
import { createTransport } from '../../../core/records/webhooks/transport.ts';

const [, , caFile = ''] = process.argv;
const WARM_UP = 50;
const transport = createTransport({
  trust: createTrust([readFileSync(caFile, 'utf8')]),
  allowsPrivate: async () => true,
  forbidden: () => [],
  timeoutMs: 30_000,
});

process.on('message', async ({ url, count }: { url: string; count: number }) => {
  const deliver = async (times: number) => {
    for (let sent = 0; sent < times; sent += 1) await transport.post({ tenantId: 'ten_1', url, headers: {}, body: '{}' });
    globalThis.gc?.();
  };
  await deliver(WARM_UP);
  const before = process.memoryUsage.rss();
  await deliver(count);
  process.send?.(process.memoryUsage.rss() - before);
});
