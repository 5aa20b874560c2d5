export { actorText, setPeople } from './actor-text.ts';
export { AddressBreaks } from './address-breaks.tsx';
export { ArchiveField } from './archive-field.tsx';
export { Banner } from './banner.tsx';
export { CodeBlock } from './code-block.tsx';
export { CopyText, copyLabel, copyText } from './copy-text.tsx';
export { deviceText } from './device-text.ts';
export { ConfirmDialog, Dialog, FormDialog } from './dialog.tsx';
export { FactList } from './fact-list.tsx';
export { FailureNote } from './failure-note.tsx';
export { FigureStrip, FigureStripSkeleton } from './figure-strip.tsx';
export { FileDrop } from './file-drop.tsx';
export { ChipShell, FilterChip, type FilterOption } from './filter-chip.tsx';
export { focusField } from './focus-field.ts';
export { formatDuration } from './format-duration.ts';
export { FrontPage } from './front-page.tsx';
export { hasHeldRequest, sendAfterUndo, sendHeldRequest, useIsHeld } from './held-request.ts';
export { KeyHint } from './key-hint.tsx';
export { LanguageButtons } from './language-buttons.tsx';
export { Lazy } from './lazy.tsx';
export { ListContext, type ListHandle, type MenuRow, useList } from './list-handle.ts';
export { announce, LiveRegion } from './live-region.tsx';
export { MoneyText } from './money-text.tsx';
export { NOT_PRINTED } from './not-printed.ts';
export { FaultNote, OuterBoundary } from './outer-boundary.tsx';
export { PanelForm } from './panel-form.tsx';
export { PasswordField } from './password-field.tsx';
export { PASSWORD_LENGTH_MIN, strengthOf } from './password-strength.ts';
export { phoneText } from './phone-text.ts';
export { PrintButton } from './print-button.tsx';
export { EmptyState, QueryContent, type QueryState } from './query-content.tsx';
export { ReasonField } from './reason-field.tsx';
export { Screen } from './screen.tsx';
export { SearchBox } from './search-box.tsx';
export { Entry, MutedText, Section } from './section.tsx';
export { SelectField } from './select-field.tsx';
export {
  ariaKeys,
  EVERYWHERE,
  KeyLayer,
  keyLabel,
  keyTip,
  NoKeys,
  requestAction,
  type Shortcut,
  useShortcutList,
  useShortcutListener,
  useShortcuts,
} from './shortcuts.tsx';
export { StatusChip } from './status-chip.tsx';
export type { RecordKind } from './status-labels.ts';
export { sentenceCase, statusStyle } from './status-styles.ts';
export { StrengthMeter } from './strength-meter.tsx';
export { TestBadge } from './test-badge.tsx';
export { ClockOffset, datedDay, dayText, exactTime, fullTime, shortTime, TimeText, useNow } from './time-text.tsx';
export { showToast, Toasts } from './toasts.tsx';
export { isDialogOpen, isUnderOverlay } from './under-overlay.ts';
export { useAfterRender } from './use-after-render.ts';
export { useDebounced } from './use-debounced.ts';
export { useFocusAfterChoice } from './use-focus-after-choice.ts';
export { useHeadingFocus } from './use-heading-focus.ts';
export { usePanel } from './use-panel.ts';
export { useSubmit } from './use-submit.ts';
export { useWidth } from './use-width.ts';
export { addressCheck, codeCheck } from './verification.ts';
export { VISUALLY_HIDDEN } from './visually-hidden.ts';
