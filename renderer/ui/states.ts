import type { LucideIcon } from 'lucide-react';
import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleX,
  Clock,
  LoaderCircle,
  Pause,
  PencilLine,
  RotateCcw,
  Send,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import type { ToneName } from '#renderer/theme';

/** Look of a state: tint, icon and label. The label is the API's value in sentence case, so that support and screen agree. */
interface StateLook {
  readonly tone: ToneName;
  readonly icon: LucideIcon;
  readonly word: string;
}

const look = (tone: ToneName, icon: LucideIcon, word: string): StateLook => ({ tone, icon, word });

/** Every state of the API, in the one place that says how it looks. */
const STATES: Readonly<Record<string, StateLook>> = {
  ok: look('success', Check, 'OK'),
  warning: look('warning', TriangleAlert, 'Warning'),
  problem: look('error', CircleX, 'Problem'),
  made: look('info', CircleDashed, 'Made'),
  checking: look('info', LoaderCircle, 'Checking'),
  checked: look('success', Check, 'Checked'),
  approved: look('success', Check, 'Approved'),
  authorized: look('info', CircleDashed, 'Authorized'),
  captured: look('success', Check, 'Captured'),
  settled: look('success', Check, 'Settled'),
  declined: look('error', CircleX, 'Declined'),
  failed: look('error', TriangleAlert, 'Failed'),
  voided: look('neutral', Ban, 'Voided'),
  pending: look('warning', Clock, 'Pending'),
  in_doubt: look('warning', CircleHelp, 'In doubt'),
  held: look('info', Clock, 'Waits here'),
  returned: look('error', Undo2, 'Returned'),
  refunded: look('neutral', Undo2, 'Refunded'),
  partial: look('info', Undo2, 'Partly refunded'),
  full: look('neutral', Undo2, 'Refunded'),
  processing: look('info', LoaderCircle, 'Processing'),
  retry: look('warning', RotateCcw, 'Retry'),
  resolved: look('success', Check, 'Resolved'),
  cancelled: look('neutral', Ban, 'Cancelled'),
  active: look('success', Check, 'Active'),
  paused: look('neutral', Pause, 'Paused'),
  past_due: look('warning', TriangleAlert, 'Past due'),
  open: look('info', CircleDashed, 'Open'),
  delivered: look('success', Check, 'Delivered'),
  disabled: look('neutral', Pause, 'Disabled'),
  paid: look('success', Check, 'Paid'),
  invited: look('info', CircleDashed, 'Invited'),
  locked: look('error', Ban, 'Locked'),
  expired: look('neutral', Clock, 'Expired'),
  waiting: look('warning', Pause, 'Waiting'),
  queued: look('info', Clock, 'Queued'),
  sent: look('info', Send, 'Sent'),
  draft: look('neutral', PencilLine, 'Draft'),
  partially_paid: look('warning', Clock, 'Partially paid'),
  overdue: look('warning', TriangleAlert, 'Overdue'),
  matched: look('success', Check, 'Matched'),
  balanced: look('success', Check, 'Balanced'),
  explained: look('success', PencilLine, 'Explained'),
  out: look('warning', TriangleAlert, 'Out'),
  uncompared: look('info', CircleDashed, 'Not compared'),
  unsettled: look('neutral', Clock, 'Nothing settled'),
  revoked: look('error', Ban, 'Revoked'),
};

/** The look of a state; one we do not know keeps its word, in grey. */
export function lookOf(state: string): StateLook {
  return STATES[state] ?? look('neutral', CircleHelp, sentenceCase(state));
}

/** "card_declined" → "Card declined". */
export function sentenceCase(word: string): string {
  const spaced = word.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
