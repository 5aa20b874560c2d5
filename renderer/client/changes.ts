import type { Query } from '@tanstack/react-query';
import { authorizedFetch } from './api.ts';
import { queryClient } from './query-client.ts';

/** Queries that a topic makes stale. The rows of the transactions list stay: a button offers new ones. */
const CONCERNED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  transactions: [
    ['transactions', 'count'],
    ['transactions', 'one'],
    ['doubts', 'list'],
    ['reports'],
    ['settlement', 'standing'],
    ['settlement', 'unsettled'],
  ],
  refunds: [
    ['transactions', 'refunds'],
    ['settlement', 'standing'],
    ['settlement', 'unsettled'],
  ],
  'refund-queue': [['refund-queue']],
  webhooks: [['webhooks']],
  customers: [['customers']],
  recurring: [['recurring']],
  invoices: [['invoices']],
  settlement: [['settlement'], ['transactions', 'one']],
  messages: [['messages'], ['settings', 'message-channels']],
  clock: [['tenant-clock'], ['settlement', 'standing']],
  merchants: [['settings'], ['users'], ['roles'], ['api-keys']],
};
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Listens for changes and refetches the affected queries on screen; passes the topics to `also`. Returns a function that stops. */
export function listenForChanges(also: (topics: readonly string[]) => void): () => void {
  const stop = new AbortController();
  void listen(stop.signal, (topics) => {
    renew(topics);
    also(topics);
  });
  return () => stop.abort();
}

async function listen(signal: AbortSignal, tell: (topics: readonly string[]) => void): Promise<void> {
  for (let pause = FIRST_PAUSE_MS, isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const response = await authorizedFetch(new Request(new URL('/api/v1/changes', location.href), { signal }));
      if (response.ok && response.body) {
        const openedAt = Date.now();
        // Changes missed without a connection are not sent again: at first those since the screen was read, later those since the
        // interruption.
        if (isFirst)
          for (const queryKey of Object.values(CONCERNED).flat()) void queryClient.invalidateQueries({ queryKey: [...queryKey] });
        else tell(Object.keys(CONCERNED));
        await read(response.body, tell);
        // A stream that ended soon was replaced by one of another tab: the tabs must not end each other's streams in quick turn.
        if (Date.now() - openedAt >= LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      }
    } catch {
      // Silence is shown by the connection's own sign; here it is only waited out.
    }
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, tell: (topics: readonly string[]) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data) tell((JSON.parse(data.slice('data: '.length)) as { topics: string[] }).topics);
    }
  }
}

const waiting = new Set<string>();
queryClient.getMutationCache().subscribe(() => renew([]));

/** Waits for this page's own pending change: after its own deletion it would otherwise request a deleted record. */
function renew(topics: readonly string[]): void {
  for (const topic of topics) waiting.add(topic);
  if (waiting.size === 0 || queryClient.isMutating() > 0) return;
  const old = [...waiting];
  waiting.clear();
  for (const queryKey of old.flatMap((topic) => CONCERNED[topic] ?? [])) askAgain([...queryKey]);
}

/** A first answer that is still under way may be older than the change, and cannot be called off: it is asked for once more when it has come. */
function askAgain(queryKey: string[]): void {
  const isFirst = (query: Query) => query.state.fetchStatus === 'fetching' && query.state.data === undefined;
  for (const query of queryClient.getQueryCache().findAll({ queryKey, predicate: isFirst })) {
    const again = () => void setTimeout(() => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }));
    void query.promise?.then(again, again);
  }
  void queryClient.invalidateQueries({ queryKey });
}
