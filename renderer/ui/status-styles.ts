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
import type { ToneName } from '#renderer/theme';

/** Tint, icon and label of a status. The label is the API's value in sentence case where possible, so that support and screen agree. */
interface StatusStyle {
  readonly tone: ToneName;
  readonly icon: LucideIcon;
  readonly label: string;
}

const style = (tone: ToneName, icon: LucideIcon, label: string): StatusStyle => ({ tone, icon, label });

/** Styles of all statuses of the API. */
const STATUS_STYLES: Readonly<Record<string, StatusStyle>> = {
  ok: style('success', Check, 'OK'),
  warning: style('warning', TriangleAlert, 'Warning'),
  problem: style('error', CircleX, 'Problem'),
  made: style('info', CircleDashed, 'Created'),
  checking: style('info', LoaderCircle, 'Checking'),
  checked: style('success', Check, 'Checked'),
  approved: style('success', Check, 'Approved'),
  authorized: style('info', CircleDashed, 'Authorized'),
  captured: style('success', Check, 'Captured'),
  settled: style('success', Check, 'Settled'),
  rejected: style('error', CircleX, 'Rejected'),
  declined: style('error', CircleX, 'Declined'),
  passed: style('success', Check, 'Passed'),
  failed: style('error', TriangleAlert, 'Failed'),
  stopped: style('neutral', Ban, 'Stopped'),
  voided: style('neutral', Ban, 'Voided'),
  pending: style('warning', Clock, 'Pending'),
  in_doubt: style('warning', CircleHelp, 'Unconfirmed'),
  held: style('info', Clock, 'Waits here'),
  returned: style('error', Undo2, 'Returned'),
  disputed: style('error', ShieldAlert, 'Disputed'),
  retrieval: style('info', CircleHelp, 'Inquiry'),
  submitted: style('info', Send, 'Submitted'),
  prearbitration: style('warning', TriangleAlert, 'Pre-arbitration'),
  arbitration: style('warning', TriangleAlert, 'Arbitration'),
  won: style('success', Check, 'Won'),
  lost: style('error', CircleX, 'Lost'),
  accepted: style('neutral', Ban, 'Accepted'),
  shift_open: style('info', CircleDashed, 'Open'),
  shift_closed: style('neutral', Lock, 'Closed'),
  received: style('success', Check, 'Received'),
  partially_refunded: style('info', Undo2, 'Partially refunded'),
  refunded: style('neutral', Undo2, 'Refunded'),
  partial: style('info', Undo2, 'Partially refunded'),
  full: style('neutral', Undo2, 'Refunded'),
  processing: style('info', LoaderCircle, 'Processing'),
  retry: style('warning', RotateCcw, 'Retry'),
  resolved: style('success', Check, 'Resolved'),
  cancelled: style('neutral', Ban, 'Cancelled'),
  canceled: style('neutral', Ban, 'Canceled'),
  completed: style('success', Check, 'Completed'),
  scheduled: style('neutral', Clock, 'Scheduled'),
  retrying: style('warning', RotateCcw, 'Retrying'),
  active: style('success', Check, 'Active'),
  paused: style('neutral', Pause, 'Paused'),
  past_due: style('warning', TriangleAlert, 'Past due'),
  open: style('info', CircleDashed, 'Open'),
  delivered: style('success', Check, 'Delivered'),
  disabled: style('neutral', Pause, 'Disabled'),
  paid: style('success', Check, 'Paid'),
  invited: style('info', CircleDashed, 'Invited'),
  locked: style('error', Ban, 'Locked'),
  sending: style('info', LoaderCircle, 'Sending'),
  replaced: style('neutral', Send, 'Replaced'),
  expired: style('neutral', Clock, 'Expired'),
  waiting: style('warning', Pause, 'Waiting'),
  queued: style('info', Clock, 'Queued'),
  sent: style('info', Send, 'Sent'),
  draft: style('neutral', PencilLine, 'Draft'),
  in_payout: style('info', Send, 'In payout'),
  partially_paid: style('warning', Clock, 'Partially paid'),
  overdue: style('warning', TriangleAlert, 'Overdue'),
  matched: style('success', Check, 'Matched'),
  balanced: style('success', Check, 'Balanced'),
  explained: style('success', PencilLine, 'Explained'),
  out: style('warning', TriangleAlert, 'Out'),
  transit: style('info', Send, 'In transit'),
  closed: style('neutral', Lock, 'Closed'),
  none: style('neutral', Clock, 'Nothing'),
  uncompared: style('info', CircleDashed, 'Not compared'),
  unsettled: style('neutral', Clock, 'Nothing settled'),
  revoked: style('error', Ban, 'Revoked'),
};

/** Returns the style of a status; an unknown status is gray with its own name. */
export function statusStyle(state: string): StatusStyle {
  return STATUS_STYLES[state] ?? style('neutral', CircleHelp, sentenceCase(state));
}

/** "card_declined" → "Card declined". */
export function sentenceCase(text: string): string {
  const spaced = text.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
