import type { ActionPanelProps } from './action-panel-props.ts';
import type { ActionId } from './actions.ts';
import { AdjustPanel, TipPanel } from './adjust-panels.tsx';
import { CapturePanel } from './capture-panel.tsx';
import { CancelCapturePanel, CreditPanel, RerunPanel, VoidPanel } from './other-panels.tsx';
import { RecordDisputePanel } from './record-dispute-panel.tsx';
import { RefundOnlyPanel, RefundPanel } from './refund-panel.tsx';
import { StoreCreditPanel } from './store-credit-panel.tsx';

const PANELS = {
  refund: RefundPanel,
  'refund-only': RefundOnlyPanel,
  'store-credit': StoreCreditPanel,
  capture: CapturePanel,
  void: VoidPanel,
  adjust: AdjustPanel,
  tip: TipPanel,
  cancelCapture: CancelCapturePanel,
  credit: CreditPanel,
  rerun: RerunPanel,
  dispute: RecordDisputePanel,
} as const satisfies Record<ActionId, unknown>;

/** Form of the chosen operation. Each form has its own idempotency key. */
export function ActionPanel({ action, ...panel }: ActionPanelProps & { readonly action: ActionId }) {
  const Panel = PANELS[action];
  return <Panel {...panel} />;
}
