import type { LucideIcon } from 'lucide-react';
import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleX,
  Clock,
  LoaderCircle,
  Lock,
  Pause,
  PencilLine,
  RotateCcw,
  Send,
  ShieldAlert,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { t } from '#renderer/base/language';
import type { ToneName } from '#renderer/base/theme';
import { labelOfKind, type RecordKind } from './status-labels.ts';

/** Tint, icon and label of a status. The label is the API's value in sentence case where possible, so that support and screen agree. */
interface StatusStyle {
  readonly tone: ToneName;
  readonly icon: LucideIcon;
  readonly label: string;
}

const style = (tone: ToneName, icon: LucideIcon, label: string): StatusStyle => ({ tone, icon, label });

/** Styles of all statuses of the API. */
const STATUS_STYLES: Readonly<Record<string, StatusStyle>> = {
  ok: style('success', Check, t('OK')),
  warning: style('warning', TriangleAlert, t('Warning')),
  problem: style('error', CircleX, t('Problem')),
  made: style('info', CircleDashed, t('Created')),
  checking: style('info', LoaderCircle, t('Checking')),
  checked: style('success', Check, t('Checked')),
  approved: style('success', Check, t('Approved')),
  authorized: style('info', CircleDashed, t('Authorized')),
  captured: style('success', Check, t('Captured')),
  settled: style('success', Check, t('Settled')),
  rejected: style('error', CircleX, t('Rejected')),
  declined: style('error', CircleX, t('Declined')),
  passed: style('success', Check, t('Passed')),
  failed: style('error', TriangleAlert, t('Failed')),
  stopped: style('neutral', Ban, t('Stopped')),
  voided: style('neutral', Ban, t('Voided')),
  pending: style('warning', Clock, t('Pending')),
  unconfirmed: style('warning', CircleHelp, t('Unconfirmed')),
  held: style('info', Clock, t('Waits here')),
  returned: style('error', Undo2, t('Returned')),
  disputed: style('error', ShieldAlert, t('Disputed')),
  retrieval: style('info', CircleHelp, t('Inquiry')),
  submitted: style('info', Send, t('Submitted')),
  prearbitration: style('warning', TriangleAlert, t('Pre-arbitration')),
  arbitration: style('warning', TriangleAlert, t('Arbitration')),
  won: style('success', Check, t('Won')),
  lost: style('error', CircleX, t('Lost')),
  accepted: style('neutral', Ban, t('Accepted')),
  shift_open: style('info', CircleDashed, t('Open')),
  shift_closed: style('neutral', Lock, t('Closed')),
  received: style('success', Check, t('Received')),
  partially_refunded: style('info', Undo2, t('Partially refunded')),
  refunded: style('neutral', Undo2, t('Refunded')),
  partial: style('info', Undo2, t('Partially refunded')),
  full: style('neutral', Undo2, t('Refunded')),
  processing: style('info', LoaderCircle, t('Processing')),
  retry: style('warning', RotateCcw, t('Retry')),
  resolved: style('success', Check, t('Resolved')),
  cancelled: style('neutral', Ban, t('Canceled')),
  canceled: style('neutral', Ban, t('Canceled')),
  completed: style('success', Check, t('Completed')),
  scheduled: style('neutral', Clock, t('Scheduled')),
  retrying: style('warning', RotateCcw, t('Retrying')),
  active: style('success', Check, t('Active')),
  paused: style('neutral', Pause, t('Paused')),
  past_due: style('warning', TriangleAlert, t('Past due')),
  open: style('info', CircleDashed, t('Open')),
  delivered: style('success', Check, t('Delivered')),
  disabled: style('neutral', Pause, t('Disabled')),
  paid: style('success', Check, t('Paid')),
  invited: style('info', CircleDashed, t('Invited')),
  locked: style('error', Ban, t('Locked')),
  sending: style('info', LoaderCircle, t('Sending')),
  replaced: style('neutral', Send, t('Replaced')),
  expired: style('neutral', Clock, t('Expired')),
  waiting: style('warning', Pause, t('Waiting')),
  queued: style('info', Clock, t('Queued')),
  sent: style('info', Send, t('Sent')),
  waiting_for_email: style('warning', Pause, t('Waiting for email')),
  waiting_for_sms: style('warning', Pause, t('Waiting for text messages')),
  not_sent: style('error', TriangleAlert, t('Not sent')),
  draft: style('neutral', PencilLine, t('Draft')),
  in_payout: style('info', Send, t('On its way')),
  partially_paid: style('warning', Clock, t('Partially paid')),
  overdue: style('warning', TriangleAlert, t('Overdue')),
  matched: style('success', Check, t('Matched')),
  balanced: style('success', Check, t('Balanced')),
  explained: style('success', PencilLine, t('Explained')),
  out: style('warning', TriangleAlert, t('Out')),
  transit: style('info', Send, t('In transit')),
  closed: style('neutral', Lock, t('Closed')),
  none: style('neutral', Clock, t('Nothing')),
  uncompared: style('info', CircleDashed, t('Not compared')),
  unsettled: style('neutral', Clock, t('Nothing settled')),
  online: style('success', Check, t('Online')),
  offline: style('error', CircleX, t('Offline')),
  busy: style('info', LoaderCircle, t('In use')),
  revoked: style('error', Ban, t('Revoked')),
};

/** Returns the style of a status, with the label for a kind of record; an unknown status is gray with its own name. */
export function statusStyle(state: string, of?: RecordKind): StatusStyle {
  const known = STATUS_STYLES[state] ?? style('neutral', CircleHelp, sentenceCase(state));
  return { ...known, label: (of && labelOfKind(of, state)) ?? known.label };
}

/** "card_declined" → "Card declined". */
export function sentenceCase(text: string): string {
  const spaced = text.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
