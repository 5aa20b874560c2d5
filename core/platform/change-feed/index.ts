import type { Database } from '#core/database';
import type { Actor, Permission } from '#core/kernel';

/**
 * Kinds of data whose changes are published to screens, with the permissions of which a caller needs one to receive them: those of the screens that show
 * the data. Null for what every screen shows.
 */
const PERMISSIONS = {
  transactions: ['transactions:read', 'reporting:read', 'settlement:read'],
  refunds: ['refunds:read', 'transactions:read', 'settlement:read'],
  'refund-queue': ['refunds:read'],
  webhooks: ['webhooks:read'],
  merchants: null,
  customers: ['customers:read'],
  recurring: ['recurring:read'],
  invoices: ['invoices:read'],
  messages: ['notifications:read', 'settings:read'],
  settlement: ['settlement:read', 'transactions:read'],
  disputes: ['disputes:read', 'transactions:read'],
  tenders: ['tenders:read', 'reporting:read'],
  items: ['items:read'],
  orders: ['transactions:read', 'tenders:read'],
  'gift-cards': ['gift-cards:read'],
  shifts: ['shifts:read', 'reporting:read'],
  terminals: ['terminals:read'],
  approvals: null,
  connectivity: null,
  'queued-payments': ['queued-payments:read'],
  clock: null,
  sessions: null,
} as const satisfies Record<string, readonly Permission[] | null>;

/** Kind of data whose changes are published to screens. `sessions`: sessions, or the rights of their users. */
export type Topic = keyof typeof PERMISSIONS;
const ALL_TOPICS = Object.keys(PERMISSIONS) as Topic[];

/** Topics whose changes may change the list of work that waits for a person. A caller receives `to-do` with each of them. */
const TO_DO_TOPICS: ReadonlySet<Topic> = new Set<Topic>([
  'transactions',
  'refund-queue',
  'customers',
  'recurring',
  'invoices',
  'messages',
  'settlement',
  'disputes',
  'approvals',
  'queued-payments',
  'orders',
]);

/** Stands for a merchant in changes of data of the account that callers of one merchant do not see, such as its tenant-wide webhooks. */
export const ACCOUNT_ONLY = '';

/** A change of the data of one merchant, or `ACCOUNT_ONLY`; with null of data that callers of every merchant see. */
export interface Change {
  readonly topic: Topic;
  readonly merchantId: string | null;
}

/** Publishes a change after its commit. */
export type PublishChange = (tenantId: string, topic: Topic, merchantId: string | null) => void;

type Listener = (changes: readonly Change[]) => void;

/** Returns the topics that a caller may receive, each once. */
export function topicsFor(
  { merchantId, permissions }: Pick<Actor, 'merchantId' | 'permissions'>,
  changes: readonly Change[],
): (Topic | 'to-do')[] {
  const isHeard = (change: Change) => {
    const needed: readonly Permission[] | null = PERMISSIONS[change.topic];
    const isReached = merchantId === null || change.merchantId === null || change.merchantId === merchantId;
    return isReached && (needed === null || needed.some((permission) => permissions.has(permission)));
  };
  const heard = [...new Set(changes.filter(isHeard).map(({ topic }) => topic))];
  return heard.some((topic) => TO_DO_TOPICS.has(topic)) ? [...heard, 'to-do'] : heard;
}

/** Debounce interval of change notifications. */
const PUBLISH_EVERY_MS = 100;
/** Interval at which a server with subscribers checks for changes by other servers, because messages may be lost. */
const CHECK_OTHER_SERVERS_MS = 10_000;
/** Maximum number of changes in one message to the other servers, which has at most 8,000 bytes. */
const CHANGES_PER_MESSAGE = 60;

/** Notifies open screens about changes of their tenant, so that they reload. Servers of one database notify each other. */
export interface ChangeFeed {
  /** Starts to receive messages of the other servers. */
  start(): void;
  readonly publish: PublishChange;
  /** Returns a function that unsubscribes. The listener is called at most ten times a second. */
  subscribe(tenantId: string, listener: Listener): () => void;
  stop(): void;
}

/** Changes of tenants that are not published yet, each once. */
class PendingChanges {
  readonly #changes = new Map<string, Map<string, Change>>();

  add(tenantId: string, change: Change): void {
    const ofTenant = this.#changes.get(tenantId) ?? new Map<string, Change>();
    this.#changes.set(tenantId, ofTenant.set(`${change.topic} ${change.merchantId ?? ''}`, change));
  }

  /** Returns the changes by tenant, and forgets them. */
  take(): [tenantId: string, changes: Change[]][] {
    const taken = [...this.#changes].map(([tenantId, changes]): [string, Change[]] => [tenantId, [...changes.values()]]);
    this.#changes.clear();
    return taken;
  }
}

/** @param versionOf Returns a text that changes whenever a server writes an event or an audit entry of the tenant. */
export function createChangeFeed(database: Database, versionOf: (tenantId: string) => Promise<string>): ChangeFeed {
  const listeners = new Map<string, Set<Listener>>();
  const pendingLocal = new PendingChanges();
  /** Changes that are not sent to the other servers yet. */
  const pendingRemote = new PendingChanges();
  const lastVersions = new Map<string, string>();
  const isShared = database.kind !== 'sqlite';
  let flushTimer: NodeJS.Timeout | undefined;
  let checkTimer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  function collect(into: PendingChanges, tenantId: string, change: Change): void {
    into.add(tenantId, change);
    flushTimer ??= setTimeout(flush, PUBLISH_EVERY_MS);
  }

  function flush(): void {
    flushTimer = undefined;
    for (const [tenantId, changes] of pendingLocal.take()) for (const listener of listeners.get(tenantId) ?? []) listener(changes);
    const remote = pendingRemote
      .take()
      .flatMap(([tenantId, changes]) => changes.map(({ topic, merchantId }) => [tenantId, topic, merchantId] as const));
    // If a message is lost with the connection, the next check finds the change.
    for (let from = 0; from < remote.length; from += CHANGES_PER_MESSAGE)
      database.signals.publish(JSON.stringify(remote.slice(from, from + CHANGES_PER_MESSAGE))).catch(() => {});
  }

  function publishLocally(tenantId: string, change: Change): void {
    if (listeners.has(tenantId)) collect(pendingLocal, tenantId, change);
  }

  function publishAll(tenantId: string): void {
    for (const topic of ALL_TOPICS) publishLocally(tenantId, { topic, merchantId: null });
  }

  function publish(tenantId: string, topic: Topic, merchantId: string | null): void {
    publishLocally(tenantId, { topic, merchantId });
    if (isShared) collect(pendingRemote, tenantId, { topic, merchantId });
  }

  function onMessage(message: string): void {
    for (const [tenantId, topic, merchantId] of JSON.parse(message) as [string, Topic, string | null][])
      publishLocally(tenantId, { topic, merchantId });
  }

  function onMissed(): void {
    for (const tenantId of listeners.keys()) publishAll(tenantId);
  }

  /** Publishes all topics of tenants whose version differs from the last check: another server has changed their data. */
  async function checkOtherServers(): Promise<void> {
    for (const tenantId of listeners.keys()) {
      const before = lastVersions.get(tenantId);
      const version = await versionOf(tenantId);
      lastVersions.set(tenantId, version);
      if (before !== undefined && before !== version) publishAll(tenantId);
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
    publish,
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
