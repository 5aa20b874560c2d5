import type { Actor, TenantTime } from '#core/kernel';
import { isoTime, toNumber } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { TO_DO_KINDS, type ToDoItem, type ToDoKind, type ToDoList } from './records.ts';
import { type Found, type FoundItem, SOURCES, type Source } from './sources.ts';

export { TO_DO_KINDS, type ToDoKind, ToDoList } from './records.ts';

/** Largest number of items of one kind: in the whole list, and in the list of that kind. */
const LISTED_MAX = { all: 20, one: 100 } as const;
const URGENT_MS = 86_400_000;

export interface ToDoFilter {
  readonly merchantId?: string;
  readonly kind?: ToDoKind;
}

/** Time in which the system status is not read again: screens read the list after each change, and the status takes longer than all other kinds. */
const STATUS_KEPT_MS = 30_000;
/** Largest number of scopes whose status is kept. */
const SCOPES_MAX = 1_000;

/** Work that waits for a person, from all capabilities. */
export function createToDo(dependencies: Dependencies) {
  const deps: Dependencies = { ...dependencies, status: keptStatus(dependencies.status) };

  async function readFrom(source: Source, actor: Actor, filter: ToDoFilter, now: TenantTime): Promise<Found & { kind: ToDoKind }> {
    const limit = filter.kind === undefined ? LISTED_MAX.all : LISTED_MAX.one;
    const { items, total } = await source.read(deps, { actor, merchantId: filter.merchantId, now, limit });
    return { kind: source.kind, items: items.slice(0, limit), total };
  }

  return {
    /**
     * Returns what the caller may see, the most urgent first. Each kind is read from indexes of open records, at most 20 of them, or at most 100 of
     * the requested kind. @throws ServiceError MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
     */
    async list(actor: Actor, filter: ToDoFilter): Promise<ToDoList> {
      if (filter.merchantId !== undefined) await deps.merchantFor(actor, filter.merchantId);
      const now = deps.clockOf(actor.tenantId).now();
      const visible = SOURCES.filter(
        ({ kind, permission }) => actor.permissions.has(permission) && (filter.kind === undefined || filter.kind === kind),
      );
      const found = await Promise.all(visible.map((source) => readFrom(source, actor, filter, now)));
      const items = found.flatMap(({ kind, items: ofKind }) => ofKind.map((item) => toItem(actor, kind, item, now))).sort(byDeadline);
      return {
        items,
        total: found.reduce((sum, { total }) => sum + total, 0),
        urgentCount: items.filter(({ isUrgent }) => isUrgent).length,
        counts: Object.fromEntries(found.map(({ kind, total }) => [kind, total])),
        checkedAt: isoTime(now),
      };
    },
  };
}

/** Returns a status that is read at most every 30 seconds for the whole account and for each merchant. */
function keptStatus({ statusFor }: Dependencies['status']): Dependencies['status'] {
  const kept = new Map<string, { readonly untilMs: number; readonly status: ReturnType<typeof statusFor> }>();
  return {
    statusFor(actor) {
      const scope = `${actor.tenantId}/${actor.merchantId ?? ''}`;
      const known = kept.get(scope);
      if (known !== undefined && known.untilMs > performance.now()) return known.status;
      const status = statusFor(actor);
      if (kept.size >= SCOPES_MAX) kept.clear();
      kept.set(scope, { untilMs: performance.now() + STATUS_KEPT_MS, status });
      status.catch(() => kept.delete(scope));
      return status;
    },
  };
}

const ACTIONS = new Map(SOURCES.map(({ kind, actions }) => [kind, actions]));

function toItem(actor: Actor, kind: ToDoKind, item: FoundItem, now: TenantTime): ToDoItem {
  const { place, resourceId = null, amount = null, dueAt = null, isPossible = () => true } = item;
  const actions = (ACTIONS.get(kind) ?? []).filter(([action, permission]) => actor.permissions.has(permission) && isPossible(action));
  return {
    id: `${kind}:${resourceId ?? place ?? 'all'}`,
    kind,
    merchantId: item.merchantId,
    resourceId,
    count: item.count ?? 1,
    amount,
    currency: amount?.currency ?? null,
    name: item.name ?? null,
    card: item.card ?? null,
    detail: item.detail ?? null,
    since: item.since ?? null,
    dueAt,
    isUrgent: dueAt !== null && Date.parse(dueAt) <= now + URGENT_MS,
    link: item.link,
    actions: actions.map(([action]) => action),
  };
}

/** Orders items by their deadline, those without one last, then by amount, and always in the same way. */
function byDeadline(left: ToDoItem, right: ToDoItem): number {
  const dueMs = ({ dueAt }: ToDoItem) => (dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt));
  const size = ({ amount }: ToDoItem) => (amount === null ? 0 : toNumber(amount));
  return (
    dueMs(left) - dueMs(right) ||
    size(right) - size(left) ||
    TO_DO_KINDS.indexOf(left.kind) - TO_DO_KINDS.indexOf(right.kind) ||
    (left.id < right.id ? -1 : 1)
  );
}
