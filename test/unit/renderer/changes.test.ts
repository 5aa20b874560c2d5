// A change notification also affects a list that is being requested for the first time.
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.doUnmock('../../../renderer/base/client/api.ts'));

test('repeats a list request if a change arrives while its first response is pending', async () => {
  let sendEvent: (text: string) => void = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sendEvent = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  // Another test file may have loaded these modules, without this response.
  vi.resetModules();
  vi.stubGlobal('location', { href: 'http://localhost/' });
  vi.doMock('../../../renderer/base/client/api.ts', () => ({ authorizedFetch: async () => new Response(stream) }));
  const { listenForChanges } = await import('../../../renderer/base/client/live-changes.ts');
  const { queryClient } = await import('../../../renderer/base/client/query-client.ts');
  const listener = vi.fn();
  const stop = listenForChanges(listener);
  let answer: (value: string) => void = () => {};
  const asked = vi.fn(
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  );
  const observer = new QueryObserver(queryClient, { queryKey: ['settings', 'mer_1', 'gateways'], queryFn: asked });
  const unsubscribe = observer.subscribe(() => {});
  expect(asked).toHaveBeenCalledTimes(1);
  sendEvent('data: {"topics":["merchants"]}\n\n');
  await expect.poll(() => listener).toHaveBeenCalledWith(['merchants']);
  expect(asked).toHaveBeenCalledTimes(1);
  answer('old');
  await expect.poll(() => asked).toHaveBeenCalledTimes(2);
  answer('new');
  await expect.poll(() => observer.getCurrentResult().data).toBe('new');
  unsubscribe();
  stop();
});
