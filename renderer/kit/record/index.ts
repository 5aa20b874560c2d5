export { useAmountWithReason } from './amount-with-reason.tsx';
export { MoreMenu } from './more-menu.tsx';
export { offerUndo } from './offer-undo.ts';
export type { RecordAction } from './record-action.ts';
export { RecordActions } from './record-actions.tsx';
export { RecordHeader } from './record-header.tsx';
export { RecordPanel, usePanelPlaces } from './record-panel.tsx';
