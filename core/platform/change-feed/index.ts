import type { Database } from '#core/database';

const EVERY_TOPIC = [
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
  'clock',
  'sessions',
] as const;

/** Kinds of data whose changes are published to screens. */
export type Topic = (typeof EVERY_TOPIC)[number];

type Listener = (topics: Topic[]) => void;

/** Debounce interval of change notifications. */
const TELL_EVERY_MS = 100;
/** Interval at which a server with subscribers checks for changes by other servers, because messages may be lost. */
const LOOK_AT_OTHERS_MS = 10_000;
/** Number of tenants that fit into one message to the other servers. */
const TENANTS_IN_A_WORD = 40;

/** Notifies open screens that something of their tenant changed; they then reload. Servers of one database notify each other. */
export interface ChangeFeed {
  /** Begins to hear the other servers. */
  start(): void;
  /** Called once a change is committed. */
  tell(tenantId: string, topic: Topic): void;
  /** Returns a function that unsubscribes. The listener is called at most ten times a second. */
  subscribe(tenantId: string, listener: Listener): () => void;
  stop(): void;
}

/** @param markOf Returns what is another text whenever a server has written an event or an entry of the audit log of a tenant. */
export function createChangeFeed(database: Database, markOf: (tenantId: string) => Promise<string>): ChangeFeed {
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<string, Set<Topic>>();
  /** Changes that were not sent to the other servers yet. */
  const outgoing = new Map<string, Set<Topic>>();
  const newest = new Map<string, string>();
  const isShared = database.kind !== 'sqlite';
  let telling: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let unlisten = () => {};

  function note(into: Map<string, Set<Topic>>, tenantId: string, topics: readonly Topic[]): void {
    const known = into.get(tenantId) ?? new Set();
    into.set(tenantId, known);
    for (const topic of topics) known.add(topic);
    telling ??= setTimeout(flush, TELL_EVERY_MS);
  }

  function flush(): void {
    telling = undefined;
    for (const [tenantId, topics] of waiting) for (const listener of listeners.get(tenantId) ?? []) listener([...topics]);
    waiting.clear();
    const told = [...outgoing].map(([tenantId, topics]) => [tenantId, [...topics]]);
    outgoing.clear();
    // A word that is lost with the connection is made good by the next look.
    for (let from = 0; from < told.length; from += TENANTS_IN_A_WORD)
      database.signals.say(JSON.stringify(told.slice(from, from + TENANTS_IN_A_WORD))).catch(() => {});
  }

  function tellHere(tenantId: string, topics: readonly Topic[]): void {
    if (listeners.has(tenantId)) note(waiting, tenantId, topics);
  }

  function tell(tenantId: string, topic: Topic): void {
    tellHere(tenantId, [topic]);
    if (isShared) note(outgoing, tenantId, [topic]);
  }

  function heard(word: string): void {
    for (const [tenantId, topics] of JSON.parse(word) as [string, Topic[]][]) tellHere(tenantId, topics);
  }

  function missed(): void {
    for (const tenantId of listeners.keys()) tellHere(tenantId, EVERY_TOPIC);
  }

  /** A change by another server shows as a newer event or a longer audit log than the last one seen. */
  async function lookAtOthers(): Promise<void> {
    for (const tenantId of listeners.keys()) {
      const before = newest.get(tenantId);
      const mark = await markOf(tenantId);
      newest.set(tenantId, mark);
      if (before !== undefined && before !== mark) tellHere(tenantId, EVERY_TOPIC);
    }
  }

  function watchOthers(): void {
    if (!isShared || looking) return;
    // The health check reports an unreachable database; the next check finds missed changes.
    looking = setInterval(() => void lookAtOthers().catch(() => {}), LOOK_AT_OTHERS_MS);
    looking.unref();
  }

  return {
    start() {
      unlisten = database.signals.listen(heard, missed);
    },
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
      unlisten();
      clearTimeout(telling);
      clearInterval(looking);
      telling = undefined;
      looking = undefined;
    },
  };
}
