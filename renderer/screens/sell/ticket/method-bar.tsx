import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { KeyboardEvent } from 'react';
import { t } from '#renderer/base/language';
import { ariaKeys, keyLabel, useShortcuts } from '#renderer/kit/ui';
import { isTender, type SaleMode } from '../form/form.ts';
import { otherName, tenderInSentence } from '../form/tenders.ts';
import type { Terminal } from '../terminal/use-terminal.ts';

const MODE_LABELS: Readonly<Record<string, string>> = {
  reader: t('Reader'),
  card: t('Card'),
  bank: t('Bank'),
  saved: t('Saved'),
  cash: t('Cash'),
  check: t('Check'),
  gift_card: t('Gift', { context: 'card' }),
};
/** Key that changes between the card reader and a keyed card. */
const READER_KEYS = 'F7';
const TENDER_KEYS: Readonly<Record<string, string>> = { cash: 'F6', check: 'F3', gift_card: 'Mod+Shift+G' };
/** Key of the first of the other tenders. */
const OTHER_KEYS = 'F10';

const ELIDED = { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** Payment methods of the sale: one stop of the Tab key, with arrow keys between them. */
export function MethodBar({ terminal: { mode, stage, settings, dispatch } }: { terminal: Terminal }) {
  const { modes } = settings;
  const frozen = stage.kind !== 'entry';
  const keysOf = (option: SaleMode): string | undefined => {
    if (option === modes.find((each) => each.startsWith('other:'))) return OTHER_KEYS;
    const isOtherOfBoth = modes.includes('reader') && option === (mode === 'reader' ? 'card' : 'reader');
    return isOtherOfBoth ? READER_KEYS : TENDER_KEYS[option];
  };
  useShortcuts(
    t('Sell'),
    modes.flatMap((option) => {
      const keys = frozen ? undefined : keysOf(option);
      const run = () => dispatch({ kind: 'mode-chosen', mode: option, movesFocus: true });
      return keys ? [{ keys, label: labelOfKey(option), run }] : [];
    }),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = modes.at((modes.indexOf(mode) + by) % modes.length);
    if (by === 0 || frozen || next === undefined) return;
    event.preventDefault();
    dispatch({ kind: 'mode-chosen', mode: next });
    event.currentTarget.querySelector<HTMLElement>(`[value=${CSS.escape(next)}]`)?.focus();
  };
  if (modes.length < 2) return null;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={t('Payment method')}
      value={mode}
      disabled={frozen}
      onKeyDown={onKeyDown}
      onChange={({ nativeEvent }, next: SaleMode | null) => {
        const isByPointer = nativeEvent instanceof MouseEvent && nativeEvent.detail > 0;
        dispatch({ kind: 'mode-chosen', mode: next ?? mode, movesFocus: isByPointer });
      }}
      sx={{ width: '100%', minWidth: 0, flexWrap: 'wrap' }}
    >
      {modes.map((option) => (
        <ToggleButton
          key={option}
          value={option}
          tabIndex={option === mode ? 0 : -1}
          title={[otherName(option), keyLabel(keysOf(option) ?? '')].filter(Boolean).join(', ') || undefined}
          aria-keyshortcuts={ariaKeys(keysOf(option) ?? '') || undefined}
          sx={{ ...ELIDED, flex: '1 0 auto', px: 0.75, maxWidth: '100%' }}
        >
          {otherName(option) ?? MODE_LABELS[option]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

function labelOfKey(option: SaleMode): string {
  if (isTender(option)) return t('Take {{tender}}', { tender: tenderInSentence(option) });
  return option === 'reader' ? t('Use the card reader') : t('Key the card');
}
