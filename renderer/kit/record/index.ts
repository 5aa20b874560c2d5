export { useAmountWithReason } from './amount-with-reason.tsx';
export { MoreMenu } from './more-menu.tsx';
export { offerUndo } from './offer-undo.ts';
export { PageActions } from './page-actions.tsx';
export type { RecordAction } from './record-action.ts';
export { RecordActions } from './record-actions.tsx';
export { RecordHeader } from './record-header.tsx';
export { RecordPanel, usePanelPlaces } from './record-panel.tsx';
export { useActionKeys } from './use-action-keys.ts';
