import { type Actor, addDays, isoTime, type Money, type Permission, startOfDate, type TenantTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { ToDoAction, ToDoItem, ToDoKind } from './records.ts';

interface SourceRequest {
  readonly actor: Actor;
  /** A merchant that the caller may access; all of the caller's merchants if absent. */
  readonly merchantId: string | undefined;
  readonly now: TenantTime;
  readonly limit: number;
}

/** An item before the fields that follow from its kind. Absent fields are null in the API. */
export interface FoundItem extends Partial<Pick<ToDoItem, 'resourceId' | 'count' | 'name' | 'card' | 'detail' | 'since' | 'dueAt'>> {
  readonly merchantId: string | null;
  readonly amount?: Money;
  readonly link: string;
  /** Distinguishes items without a record of one kind. */
  readonly place?: string;
  /** Returns false for an action that this item does not allow. */
  readonly isPossible?: (action: ToDoAction) => boolean;
}

export interface Found {
  readonly items: readonly FoundItem[];
  readonly total: number;
}

/** One kind of work. */
export interface Source {
  readonly kind: ToDoKind;
  /** Permission to see the items. */
  readonly permission: Permission;
  /** Actions with the permission of their route, the most useful first. */
  readonly actions: readonly (readonly [ToDoAction, Permission])[];
  readonly read: (deps: Dependencies, request: SourceRequest) => Promise<Found>;
}

const EXPIRING_DAYS = 60;
/** Items of the system status that the list contains record by record. */
const LISTED_BY_RECORD = ['payments', 'refunds', 'messages'];

const firstPage = (limit: number) => ({ page: 1, limit });
const cardOf = (card: { readonly brand: string | null; readonly last4: string } | null) =>
  card === null || card.brand === null ? null : { brand: card.brand, last4: card.last4 };
/** Returns one item for several records; none if there are none. */
const grouped = (count: number, item: Omit<FoundItem, 'count'>): Found =>
  count === 0 ? { items: [], total: 0 } : { items: [{ ...item, count }], total: 1 };

/** Sentences about pages of gateways by their problem. Without a problem, a payment was not needed. */
const HOSTED_PAGE_DETAILS: Readonly<Partial<Record<string, string>>> = {
  overpaid: 'A payment was not needed. Refund it.',
  not_closed: 'The gateway did not close its page. Close it there, then mark it as done.',
};

/** Kinds of work in the order in which equal items are listed. A new kind is one more entry, and its texts in the screen. */
export const SOURCES: readonly Source[] = [
  {
    kind: 'unconfirmed_payment',
    permission: 'transactions:read',
    actions: [
      ['conclude', 'settlement:write'],
      ['inquire', 'transactions:write'],
    ],
    async read({ payments }, { actor, merchantId }) {
      const found = await payments.unconfirmed.list(actor, { merchantId });
      const items = found.payments
        .filter(({ needsPerson }) => needsPerson)
        .map(({ id, merchantId: owner, amount, customerName, card, since, message }) => ({
          resourceId: id,
          merchantId: owner,
          amount,
          name: customerName,
          card: cardOf(card),
          detail: message,
          since,
          dueAt: since,
          link: `/unconfirmed-payments/${id}`,
        }));
      return { items, total: found.counts.needsPerson };
    },
  },
  {
    kind: 'hosted_page',
    permission: 'invoices:read',
    actions: [['resolve', 'settlement:write']],
    async read({ invoicing }, { actor, merchantId, limit }) {
      const { pages, total } = await invoicing.hostedPages.forPerson(actor, merchantId, limit);
      const items = pages.map(({ hostedPageId, invoiceId, merchantId: owner, number, customerName, amount, problem, since }) => ({
        resourceId: hostedPageId,
        merchantId: owner,
        amount,
        name: customerName ?? number,
        detail: HOSTED_PAGE_DETAILS[problem ?? 'overpaid'] ?? 'The gateway shows a payment that is not recorded.',
        since,
        dueAt: since,
        link: `/invoices/${invoiceId}`,
      }));
      return { items, total };
    },
  },
  {
    kind: 'approval',
    permission: 'approvals:write',
    actions: [
      ['approve', 'approvals:write'],
      ['reject', 'approvals:write'],
    ],
    async read({ approvals }, { actor, merchantId }) {
      // Requests about the whole account concern every merchant, so the merchant does not narrow the query.
      const { items } = await approvals.page(actor, { status: 'pending' }, firstPage(APPROVALS_MAX));
      const waiting = items.filter(
        (approval) =>
          !approval.requesterUserIds.includes(actor.credentialId) &&
          (merchantId === undefined || approval.merchantId === null || approval.merchantId === merchantId),
      );
      const found = waiting.map(({ approvalId, merchantId: owner, amount, requestedBy, reason, createdAt, expiresAt }) => ({
        resourceId: approvalId,
        merchantId: owner,
        ...(amount !== null && { amount }),
        name: requestedBy,
        detail: reason,
        since: createdAt,
        dueAt: expiresAt,
        link: `/approvals/${approvalId}`,
      }));
      return { items: found, total: found.length };
    },
  },
  {
    kind: 'failed_refund',
    permission: 'refunds:read',
    actions: [
      ['retry', 'refunds:write'],
      ['resolve', 'refunds:write'],
      ['cancel', 'refunds:write'],
    ],
    async read({ payments }, { actor, merchantId, limit }) {
      const { items, total } = await payments.refundQueue.page(actor, { status: 'failed', merchantId }, firstPage(limit));
      const found = items.map(({ id, merchantId: owner, amount, customer, card, declineReason, lastAttemptAt, createdAt }) => ({
        resourceId: id,
        merchantId: owner,
        amount,
        name: customer?.name ?? null,
        card: cardOf(card),
        detail: declineReason,
        since: createdAt,
        dueAt: lastAttemptAt ?? createdAt,
        link: `/refund-queue/${id}`,
      }));
      return { items: found, total };
    },
  },
  {
    kind: 'dispute',
    permission: 'disputes:read',
    actions: [
      ['respond', 'disputes:write'],
      ['accept', 'disputes:write'],
    ],
    async read(deps, { actor, merchantId, limit }) {
      const { items, total } = await deps.disputes.page(actor, { status: 'due', merchantId }, { ...firstPage(limit), sort: 'dueDate' });
      const ids = items.map(({ transactionId }) => transactionId);
      const payments = await deps.payments.facts(actor, ids);
      const found = items.map(async ({ disputeId, transactionId, merchantId: owner, amount, reason, dueDate, createdAt }) => ({
        resourceId: disputeId,
        merchantId: owner,
        amount,
        name: payments.get(transactionId)?.customer?.name ?? null,
        card: cardOf(payments.get(transactionId)?.card ?? null),
        detail: reason,
        since: createdAt,
        dueAt: await endOfDay(deps, actor, owner, dueDate),
        link: `/disputes/${disputeId}`,
      }));
      return { items: await Promise.all(found), total };
    },
  },
  {
    kind: 'expiring_authorization',
    permission: 'transactions:read',
    actions: [
      ['capture', 'transactions:write'],
      ['void', 'transactions:write'],
    ],
    async read({ payments }, { actor, merchantId }) {
      const found = await payments.expiringAuthorizations(actor, merchantId);
      const items = found.map(({ transactionId, merchantId: owner, amount, customer, card, createdAt, authorizationExpiresAt }) => ({
        resourceId: transactionId,
        merchantId: owner,
        amount,
        name: customer?.name ?? null,
        card: cardOf(card),
        since: createdAt,
        dueAt: authorizationExpiresAt,
        link: `/transactions/${transactionId}`,
      }));
      return { items, total: items.length };
    },
  },
  {
    kind: 'queued_payment',
    permission: 'queued-payments:read',
    actions: [
      ['release', 'queued-payments:release'],
      ['cancel', 'queued-payments:release'],
    ],
    async read({ queuedPayments }, { actor, merchantId, limit }) {
      const pages = await Promise.all(
        (['declined', 'expired'] as const).map((status) => queuedPayments.page(actor, { status, merchantId }, firstPage(limit))),
      );
      const items = pages
        .flatMap((page) => page.items)
        .map(({ queuedPaymentId, merchantId: owner, amount, customerName, card, declineReason, updatedAt }) => ({
          resourceId: queuedPaymentId,
          merchantId: owner,
          amount,
          name: customerName,
          card,
          detail: declineReason,
          since: updatedAt,
          dueAt: updatedAt,
          link: `/queued-payments/${queuedPaymentId}`,
        }));
      return { items, total: pages.reduce((sum, { total }) => sum + total, 0) };
    },
  },
  {
    kind: 'discrepancy',
    permission: 'settlement:read',
    actions: [['resolve', 'settlement:write']],
    async read(deps, { actor, merchantId = actor.merchantId ?? undefined }) {
      const { count, difference, firstDate } = await deps.reconciliation.openDiscrepancies(actor, merchantId);
      const { timezone } = await deps.merchantFor(actor, merchantId);
      return grouped(count, {
        merchantId: merchantId ?? null,
        amount: difference,
        since: firstDate && isoTime(startOfDate(timezone, firstDate)),
        link: `/reconciliation/${firstDate}`,
      });
    },
  },
  {
    kind: 'bank_line',
    permission: 'settlement:read',
    actions: [['match', 'settlement:write']],
    async read(deps, { actor, merchantId = actor.merchantId ?? undefined }) {
      const { count, amount, firstDay } = await deps.bank.openLines(actor, merchantId);
      const { timezone } = await deps.merchantFor(actor, merchantId);
      return grouped(count, {
        merchantId: merchantId ?? null,
        ...(amount !== null && { amount }),
        since: firstDay && isoTime(startOfDate(timezone, firstDay)),
        link: '/reconciliation/bank',
      });
    },
  },
  {
    kind: 'past_due_subscription',
    permission: 'recurring:read',
    actions: [
      ['retry', 'recurring:write'],
      ['cancel', 'recurring:write'],
    ],
    async read({ recurring }, { actor, merchantId, limit }) {
      const { items, total } = await recurring.page(actor, { status: 'past_due', merchantId }, firstPage(limit));
      const found = items.map(({ subscriptionId, merchantId: owner, amount, unpaidAmount, customer, card, lastReason, updatedAt }) => ({
        resourceId: subscriptionId,
        merchantId: owner,
        amount: unpaidAmount ?? amount,
        name: customer.name,
        card: cardOf(card),
        detail: lastReason,
        since: updatedAt,
        link: `/recurring/${subscriptionId}`,
      }));
      return { items: found, total };
    },
  },
  {
    kind: 'past_due_installment_plan',
    permission: 'recurring:read',
    actions: [
      ['retry', 'recurring:write'],
      ['cancel', 'recurring:write'],
    ],
    async read({ installments }, { actor, merchantId, limit }) {
      const { items, total } = await installments.page(actor, { status: 'past_due', merchantId }, firstPage(limit));
      const found = items.map((plan) => ({
        resourceId: plan.installmentPlanId,
        merchantId: plan.merchantId,
        amount: plan.installments.find(({ status }) => status === 'past_due')?.amountRemaining ?? plan.amountRemaining,
        name: plan.customer.name,
        detail: plan.lastReason,
        since: plan.pastDueAt,
        link: `/recurring/installments/${plan.installmentPlanId}`,
      }));
      return { items: found, total };
    },
  },
  {
    kind: 'overdue_invoice',
    permission: 'invoices:read',
    actions: [['remind', 'invoices:write']],
    async read({ invoicing }, { actor, merchantId = actor.merchantId ?? undefined }) {
      const { count, amount, since } = await invoicing.overdue(actor, merchantId);
      return grouped(count, { merchantId: merchantId ?? null, amount, since, link: '/invoices?tab=all&status=overdue' });
    },
  },
  {
    kind: 'promised_invoice',
    permission: 'invoices:read',
    actions: [['remind', 'invoices:write']],
    async read(deps, { actor, merchantId = actor.merchantId ?? undefined }) {
      const found = await deps.invoicing.promised(actor, merchantId);
      const items = found.map(async ({ invoiceId, merchantId: owner, number, amountDue, customerName, date, at }) => ({
        resourceId: invoiceId,
        merchantId: owner,
        amount: amountDue,
        name: customerName ?? number,
        detail: number,
        since: at,
        dueAt: await endOfDay(deps, actor, owner, date),
        link: `/invoices/${invoiceId}`,
      }));
      return { items: await Promise.all(items), total: items.length };
    },
  },
  {
    kind: 'open_order',
    permission: 'transactions:write',
    actions: [['resolve', 'transactions:write']],
    async read({ orders }, { actor, merchantId }) {
      const found = await orders.leftOpen(actor, merchantId);
      const items = found.map(({ orderId, merchantId: owner, heldAmount, name, number, customerName, createdAt, dueAt }) => ({
        resourceId: orderId,
        merchantId: owner,
        amount: heldAmount,
        name: name ?? customerName ?? number,
        since: createdAt,
        dueAt,
        link: `/orders/${orderId}`,
      }));
      return { items, total: items.length };
    },
  },
  {
    kind: 'unsent_message',
    permission: 'notifications:read',
    actions: [
      ['send', 'notifications:write'],
      ['set_up', 'owner:channels'],
    ],
    async read({ notifications }, { actor }) {
      const items = (await notifications.channelHealth(actor)).flatMap(({ channel, isSetUp, waiting, failed, since, lastError }) => {
        const isPossible = (action: ToDoAction) => (action === 'send') === isSetUp;
        const shared = { merchantId: actor.merchantId, name: channel, detail: lastError, isPossible };
        const item = (status: 'waiting' | 'failed', count: number) =>
          count === 0
            ? []
            : [
                {
                  ...shared,
                  count,
                  since: since[status],
                  place: `${channel}-${status}`,
                  link: `/messages?status=${status}&channel=${channel}`,
                },
              ];
        return [...item('waiting', waiting), ...item('failed', failed)];
      });
      return { items, total: items.length };
    },
  },
  {
    kind: 'expiring_card',
    permission: 'customers:read',
    actions: [['request_update', 'customers:write']],
    async read({ customers }, { actor, merchantId }) {
      const { total } = await customers.expiring(actor, { days: EXPIRING_DAYS, merchantId }, firstPage(1));
      return grouped(total, { merchantId: merchantId ?? actor.merchantId, link: '/customers?tab=expiring' });
    },
  },
  {
    kind: 'system_problem',
    permission: 'settings:read',
    actions: [['resolve', 'settings:read']],
    async read({ status }, { actor, now }) {
      const { items } = await status.statusFor(actor);
      const found = items
        .filter(({ name, state }) => state !== 'ok' && !LISTED_BY_RECORD.includes(name))
        .map(({ name, state, message }) => ({
          place: name,
          merchantId: null,
          name,
          detail: message,
          ...(state === 'problem' && { dueAt: isoTime(now) }),
          link: '/system/status',
        }));
      return { items: found, total: found.length };
    },
  },
];

/** Largest number of requests for approval that are read; they expire within minutes. */
const APPROVALS_MAX = 100;

/** Returns the last moment of a day of a merchant. */
async function endOfDay({ merchantFor }: Dependencies, actor: Actor, merchantId: string, day: string): Promise<string> {
  const { timezone } = await merchantFor(actor, merchantId);
  return isoTime(startOfDate(timezone, addDays(day, 1)) - 1);
}
