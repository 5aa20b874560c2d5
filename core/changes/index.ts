import type { Database } from '#core/database';

/** What a screen may show that has changed. */
export type Topic =
  | 'transactions'
  | 'refunds'
  | 'refund-queue'
  | 'webhooks'
  | 'merchants'
  | 'customers'
  | 'recurring'
  | 'invoices'
  | 'messages'
  | 'settlement';

type Listener = (topics: Topic[]) => void;

/** Changes that follow one another are told together. */
const TELL_EVERY_MS = 100;
/** How often a server that shares its database looks for what the others did, while somebody listens. */
const LOOK_AT_OTHERS_MS = 2_000;
const EVERY_TOPIC: readonly Topic[] = [
  'transactions',
  'refunds',
  'refund-queue',
  'webhooks',
  'merchants',
  'customers',
  'recurring',
  'invoices',
  'messages',
  'settlement',
];

/** Tells open screens that something of their tenant changed, not what: they ask again. */
export interface Changes {
  /** Called once a change is committed. */
  tell(tenantId: string, topic: Topic): void;
  /** Answers how to end it. The listener hears at most ten times a second. */
  subscribe(tenantId: string, listener: Listener): () => void;
  stop(): void;
}

export function createChanges(database: Database): Changes {
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<string, Set<Topic>>();
  const newest = new Map<string, string>();
  let telling: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;

  function flush(): void {
    telling = undefined;
    for (const [tenantId, topics] of waiting) for (const listener of listeners.get(tenantId) ?? []) listener([...topics]);
    waiting.clear();
  }

  function tell(tenantId: string, topic: Topic): void {
    if (!listeners.has(tenantId)) return;
    const topics = waiting.get(tenantId) ?? new Set();
    waiting.set(tenantId, topics.add(topic));
    telling ??= setTimeout(flush, TELL_EVERY_MS);
  }

  /** A change by another server shows as a newer event or a longer audit log than the last one seen. */
  async function lookAtOthers(): Promise<void> {
    for (const tenantId of listeners.keys()) {
      const [row] = await database
        .read(tenantId)
        .all<{ mark: string }>(
          "SELECT COALESCE((SELECT max(id) FROM events WHERE tenant_id = :tenantId), '') || '/' || COALESCE((SELECT CAST(n AS TEXT) FROM audit_heads WHERE tenant_id = :tenantId), '') AS mark",
        );
      const before = newest.get(tenantId);
      const mark = row?.mark ?? '';
      newest.set(tenantId, mark);
      if (before !== undefined && before !== mark) for (const topic of EVERY_TOPIC) tell(tenantId, topic);
    }
  }

  function watchOthers(): void {
    if (database.kind === 'sqlite' || looking) return;
    // A database that is away is told by health; the next look finds what was missed.
    looking = setInterval(() => void lookAtOthers().catch(() => {}), LOOK_AT_OTHERS_MS);
    looking.unref();
  }

  return {
    tell,
    subscribe(tenantId, listener) {
      const ofTenant = listeners.get(tenantId) ?? new Set();
      listeners.set(tenantId, ofTenant.add(listener));
      watchOthers();
      return () => {
        ofTenant.delete(listener);
        if (ofTenant.size === 0) listeners.delete(tenantId);
        if (listeners.size > 0) return;
        clearInterval(looking);
        looking = undefined;
        newest.clear();
      };
    },
    stop() {
      clearTimeout(telling);
      clearInterval(looking);
      telling = undefined;
      looking = undefined;
    },
  };
}
