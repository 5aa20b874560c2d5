import type { Database } from '#core/database';

const ALL_TOPICS = [
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
  'disputes',
  'tenders',
  'items',
  'shifts',
  'approvals',
  'reach',
  'later',
  'clock',
  'sessions',
] as const;

/** Kinds of data whose changes are published to screens. */
export type Topic = (typeof ALL_TOPICS)[number];

type Listener = (topics: Topic[]) => void;

/** Debounce interval of change notifications. */
const PUBLISH_EVERY_MS = 100;
/** Interval at which a server with subscribers checks for changes by other servers, because messages may be lost. */
const CHECK_OTHER_SERVERS_MS = 10_000;
/** Maximum number of tenants in one message to the other servers. */
const TENANTS_PER_MESSAGE = 40;

/** Notifies open screens about changes of their tenant, so that they reload. Servers of one database notify each other. */
export interface ChangeFeed {
  /** Starts to receive messages of the other servers. */
  start(): void;
  /** Publishes a change after its commit. */
  publish(tenantId: string, topic: Topic): void;
  /** Returns a function that unsubscribes. The listener is called at most ten times a second. */
  subscribe(tenantId: string, listener: Listener): () => void;
  stop(): void;
}

/** @param versionOf Returns a text that changes whenever a server writes an event or an audit entry of the tenant. */
export function createChangeFeed(database: Database, versionOf: (tenantId: string) => Promise<string>): ChangeFeed {
  const listeners = new Map<string, Set<Listener>>();
  const pendingLocal = new Map<string, Set<Topic>>();
  /** Changes that are not sent to the other servers yet. */
  const pendingRemote = new Map<string, Set<Topic>>();
  const lastVersions = new Map<string, string>();
  const isShared = database.kind !== 'sqlite';
  let flushTimer: NodeJS.Timeout | undefined;
  let checkTimer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  function collect(into: Map<string, Set<Topic>>, tenantId: string, topics: readonly Topic[]): void {
    const known = into.get(tenantId) ?? new Set();
    into.set(tenantId, known);
    for (const topic of topics) known.add(topic);
    flushTimer ??= setTimeout(flush, PUBLISH_EVERY_MS);
  }

  function flush(): void {
    flushTimer = undefined;
    for (const [tenantId, topics] of pendingLocal) for (const listener of listeners.get(tenantId) ?? []) listener([...topics]);
    pendingLocal.clear();
    const changes = [...pendingRemote].map(([tenantId, topics]) => [tenantId, [...topics]]);
    pendingRemote.clear();
    // If a message is lost with the connection, the next check finds the change.
    for (let from = 0; from < changes.length; from += TENANTS_PER_MESSAGE)
      database.signals.publish(JSON.stringify(changes.slice(from, from + TENANTS_PER_MESSAGE))).catch(() => {});
  }

  function publishLocally(tenantId: string, topics: readonly Topic[]): void {
    if (listeners.has(tenantId)) collect(pendingLocal, tenantId, topics);
  }

  function tell(tenantId: string, topic: Topic): void {
    publishLocally(tenantId, [topic]);
    if (isShared) collect(pendingRemote, tenantId, [topic]);
  }

  function onMessage(message: string): void {
    for (const [tenantId, topics] of JSON.parse(message) as [string, Topic[]][]) publishLocally(tenantId, topics);
  }

  function onMissed(): void {
    for (const tenantId of listeners.keys()) publishLocally(tenantId, ALL_TOPICS);
  }

  /** Publishes all topics of tenants whose version differs from the last check: another server has changed their data. */
  async function checkOtherServers(): Promise<void> {
    for (const tenantId of listeners.keys()) {
      const before = lastVersions.get(tenantId);
      const version = await versionOf(tenantId);
      lastVersions.set(tenantId, version);
      if (before !== undefined && before !== version) publishLocally(tenantId, ALL_TOPICS);
    }
  }

  function startChecks(): void {
    if (!isShared || checkTimer) return;
    // The health check reports an unreachable database; the next check finds missed changes.
    checkTimer = setInterval(() => void checkOtherServers().catch(() => {}), CHECK_OTHER_SERVERS_MS);
    checkTimer.unref();
  }

  return {
    start() {
      unsubscribe = database.signals.subscribe(onMessage, onMissed);
    },
    publish: tell,
    subscribe(tenantId, listener) {
      const ofTenant = listeners.get(tenantId) ?? new Set();
      listeners.set(tenantId, ofTenant.add(listener));
      startChecks();
      return () => {
        ofTenant.delete(listener);
        if (ofTenant.size === 0) listeners.delete(tenantId);
        if (listeners.size > 0) return;
        clearInterval(checkTimer);
        checkTimer = undefined;
        lastVersions.clear();
      };
    },
    stop() {
      unsubscribe();
      clearTimeout(flushTimer);
      clearInterval(checkTimer);
      flushTimer = undefined;
      checkTimer = undefined;
    },
  };
}
