import type { Query } from '@tanstack/react-query';
import { onReset } from '#renderer/base/module-state';
import { authorizedFetch } from './api.ts';
import { queryClient } from './query-client.ts';

/** Query keys that become stale with a topic. The rows of the transactions list are kept; a button offers new ones. */
const QUERIES_BY_TOPIC: Readonly<Record<string, readonly (readonly string[])[]>> = {
  transactions: [
    ['transactions', 'count'],
    ['transactions', 'one'],
    ['unconfirmed-payments', 'list'],
    ['sell', 'unconfirmed'],
    ['reports'],
    ['settlement', 'balances'],
    ['settlement', 'unsettled'],
  ],
  refunds: [
    ['transactions', 'refunds'],
    ['settlement', 'balances'],
    ['settlement', 'unsettled'],
  ],
  'refund-queue': [['refund-queue']],
  webhooks: [['webhooks']],
  customers: [['customers']],
  recurring: [['recurring']],
  invoices: [['invoices']],
  settlement: [['settlement'], ['transactions', 'one']],
  disputes: [['disputes'], ['transactions', 'one']],
  items: [['items']],
  orders: [['orders']],
  'gift-cards': [['gift-cards'], ['orders']],
  tenders: [['tenders'], ['transactions', 'count'], ['reports']],
  shifts: [['shifts'], ['reports']],
  approvals: [['approvals'], ['settings']],
  terminals: [['card-readers']],
  'queued-payments': [['queued-payments'], ['connectivity']],
  connectivity: [['connectivity'], ['settings', 'gateway-health']],
  messages: [['messages'], ['settings', 'message-channels']],
  'to-do': [['to-do']],
  clock: [['tenant-clock'], ['to-do'], ['settlement', 'balances']],
  merchants: [['settings'], ['users'], ['roles'], ['api-keys']],
};
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Listens for changes, refetches the affected queries on screen and passes the topics to `onTopics`. Returns a function that stops. */
export function listenForChanges(onTopics: (topics: readonly string[]) => void): () => void {
  const stop = new AbortController();
  void listen(stop.signal, (topics) => {
    refreshQueries(topics);
    onTopics(topics);
  });
  return () => stop.abort();
}

async function listen(signal: AbortSignal, onTopics: (topics: readonly string[]) => void): Promise<void> {
  for (let pause = FIRST_PAUSE_MS, isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const response = await authorizedFetch(new Request(new URL('/api/v1/changes', location.href), { signal }));
      if (response.ok && response.body) {
        const openedAt = Date.now();
        // Changes are not sent again after a lost connection. The first connection refetches what changed since the screen was read, later ones
        // what changed since the interruption.
        if (isFirst)
          for (const queryKey of Object.values(QUERIES_BY_TOPIC).flat()) void queryClient.invalidateQueries({ queryKey: [...queryKey] });
        else onTopics(Object.keys(QUERIES_BY_TOPIC));
        await readStream(response.body, onTopics);
        // A stream that ends soon was replaced by one of another tab. The pause keeps the tabs from ending each other's streams in a loop.
        if (Date.now() - openedAt >= LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      }
    } catch {
      // The connection indicator shows the failure; this loop only retries.
    }
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function readStream(body: ReadableStream<Uint8Array<ArrayBuffer>>, onTopics: (topics: readonly string[]) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let incomplete = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (incomplete + value).split('\n\n');
    incomplete = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data) onTopics((JSON.parse(data.slice('data: '.length)) as { topics: string[] }).topics);
    }
  }
}

const pendingTopics = new Set<string>();
onReset(() => pendingTopics.clear());
queryClient.getMutationCache().subscribe(() => refreshQueries([]));

/** Refetches queries after the page's own pending changes, so that a deleted record is not requested. */
function refreshQueries(topics: readonly string[]): void {
  for (const topic of topics) pendingTopics.add(topic);
  if (pendingTopics.size === 0 || queryClient.isMutating() > 0) return;
  const topicsToRefresh = [...pendingTopics];
  pendingTopics.clear();
  for (const queryKey of topicsToRefresh.flatMap((topic) => QUERIES_BY_TOPIC[topic] ?? [])) refetch([...queryKey]);
}

/** Invalidates queries. A pending first response may be older than the change and cannot be aborted, so it is fetched again afterwards. */
function refetch(queryKey: string[]): void {
  const isFirst = (query: Query) => query.state.fetchStatus === 'fetching' && query.state.data === undefined;
  for (const query of queryClient.getQueryCache().findAll({ queryKey, predicate: isFirst })) {
    const refetchOnce = () => void setTimeout(() => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }));
    void query.promise?.then(refetchOnce, refetchOnce);
  }
  void queryClient.invalidateQueries({ queryKey });
}
