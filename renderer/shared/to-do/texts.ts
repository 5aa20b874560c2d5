import {
  CalendarClock,
  CircleHelp,
  CreditCard,
  FileText,
  Gavel,
  HandCoins,
  HardDrive,
  Hourglass,
  Landmark,
  type LucideIcon,
  Mail,
  PanelTop,
  Scale,
  ShoppingBasket,
  Timer,
  Undo2,
  UserCheck,
} from 'lucide-react';
import type { StatusItem, ToDoItem } from '#renderer/base/client';
import { dateFormat, dayIn } from '#renderer/base/dates';
import { serviceText, t } from '#renderer/base/language';
import { actorText, formatDuration } from '#renderer/kit/ui';
import { nameOf } from '#renderer/session/system-status';
import { paidWith } from '#renderer/shared/receipt';

type Kind = ToDoItem['kind'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface KindTexts {
  readonly icon: LucideIcon;
  /** Name of the kind as a filter. */
  readonly name: string;
  /** Title of an item; by default the name of the kind, with the customer or the card. */
  readonly title: (item: ToDoItem) => string;
}

const single = (icon: LucideIcon, name: string, one: string): KindTexts => ({
  icon,
  name,
  title: (item) =>
    [one, item.name === null ? paidWith({ card: item.card, bankAccount: null }) : actorText(item.name)].filter(Boolean).join(', '),
});
const grouped = (icon: LucideIcon, name: string, title: KindTexts['title']): KindTexts => ({ icon, name, title });

/** Icon and texts of each kind, in the order of the filter. */
export const KINDS: Readonly<Record<Kind, KindTexts>> = {
  unconfirmed_payment: single(CircleHelp, t('Unconfirmed payments'), t('Unconfirmed payment')),
  hosted_page: single(PanelTop, t('Payment pages of gateways'), t('Payment page of the gateway')),
  approval: single(UserCheck, t('Approvals'), t('Approval')),
  failed_refund: single(Undo2, t('Failed refunds'), t('Failed refund')),
  dispute: single(Gavel, t('Disputes'), t('Dispute')),
  expiring_authorization: single(Timer, t('Authorizations'), t('Authorization')),
  queued_payment: single(Hourglass, t('Charge later'), t('Charge later')),
  discrepancy: grouped(Scale, t('Discrepancies'), ({ count }) => t('{{count, number}} discrepancies with the processor', { count })),
  bank_line: grouped(Landmark, t('Bank lines'), ({ count }) => t('{{count, number}} bank lines without a match', { count })),
  past_due_subscription: single(CalendarClock, t('Subscriptions'), t('Subscription past due')),
  past_due_installment_plan: single(CalendarClock, t('Installment plans'), t('Installment past due')),
  overdue_invoice: grouped(FileText, t('Invoices'), ({ count }) => t('{{count, number}} invoices overdue', { count })),
  promised_invoice: single(HandCoins, t('Promises to pay'), t('Promised payment')),
  open_order: single(ShoppingBasket, t('Open sales'), t('Open sale with money')),
  unsent_message: grouped(Mail, t('Messages'), ({ count, name }) =>
    name === 'email' ? t('{{count, number}} emails not sent', { count }) : t('{{count, number}} text messages not sent', { count }),
  ),
  expiring_card: grouped(CreditCard, t('Cards on file'), ({ count }) =>
    t('{{count, number}} cards on file expire within 60 days', { count }),
  ),
  system_problem: grouped(HardDrive, t('System'), ({ name }) => nameOf({ name: name as StatusItem['name'] })),
};

/** Names of the first action of an item, as the label of what to do. */
const ACTIONS: Readonly<Record<ToDoItem['actions'][number], string>> = {
  accept: t('Accept'),
  approve: t('Decide'),
  cancel: t('Cancel', { context: 'verb' }),
  capture: t('Capture or void'),
  conclude: t('Record outcome'),
  inquire: t('Check with the gateway'),
  match: t('Match', { context: 'verb' }),
  reject: t('Reject'),
  release: t('Charge now'),
  remind: t('Send reminders'),
  request_update: t('Ask for new cards'),
  resolve: t('Resolve'),
  respond: t('Respond'),
  retry: t('Retry or resolve'),
  send: t('Send', { context: 'verb' }),
  set_up: t('Set up'),
  void: t('Void', { context: 'verb' }),
};

export const actionText = ({ actions: [first] }: ToDoItem): string => (first === undefined ? t('View') : ACTIONS[first]);

export const titleOf = (item: ToDoItem): string => KINDS[item.kind].title(item);

/** Returns the deadline of an item by the account's clock: "Now", "in 3 h" or a date; empty if it has none. */
export function dueText({ kind, dueAt }: ToDoItem, timeZone: string, nowMs: number): string {
  if (dueAt === null) return '';
  const leftMs = Date.parse(dueAt) - nowMs;
  if (leftMs <= 0) return kind === 'dispute' || kind === 'expiring_authorization' ? t('Overdue') : t('Now');
  if (leftMs > DAY_MS) return dateFormat({ timeZone, month: 'short', day: 'numeric' }).format(new Date(dueAt));
  return t('in {{duration}}', { duration: formatDuration(leftMs >= HOUR_MS ? Math.floor(leftMs / HOUR_MS) * HOUR_MS : leftMs) });
}

/** Returns the time of day of a moment of today, and the day of an earlier one. */
function momentText(at: string, timeZone: string, nowMs: number): string {
  const instant = new Date(at);
  const isToday = dayIn(timeZone, instant) === dayIn(timeZone, nowMs);
  return dateFormat({ timeZone, ...(isToday ? { hour: 'numeric', minute: '2-digit' } : { month: 'short', day: 'numeric' }) }).format(
    instant,
  );
}

/** Returns the line below the title: why the item is listed. */
export function reasonText(item: ToDoItem, timeZone: string, nowMs: number): string {
  const { kind, since, name, detail, link } = item;
  const time = since === null ? '' : momentText(since, timeZone, nowMs);
  switch (kind) {
    case 'unconfirmed_payment':
      return t('No answer since {{time}}', { time });
    case 'expiring_authorization':
      return t('Authorized {{time}}', { time });
    case 'open_order':
      return t('Begun {{time}}, and not paid in full', { time });
    case 'discrepancy':
    case 'bank_line':
    case 'overdue_invoice':
      return since === null ? '' : t('Since {{time}}', { time });
    case 'unsent_message':
      if (link.includes('status=failed')) return t('Failed within 7 days');
      return name === 'email' ? t('Email isn’t set up') : t('Text messages aren’t set up');
    default:
      return detail === null ? '' : serviceText(detail);
  }
}
