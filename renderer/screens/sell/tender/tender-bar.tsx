import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Archive, Banknote, type LucideIcon, Ticket, TicketCheck } from 'lucide-react';
import { t } from '#renderer/base/language';
import { KeyHint, useShortcuts } from '#renderer/kit/ui';
import { OPEN_DRAWER_KEYS, openDrawerDialog } from '#renderer/shared/receipt-queue';
import { idOf, type TenderChoice } from './kinds.ts';

const ICONS: Readonly<Record<TenderChoice['kind'], LucideIcon>> = { cash: Banknote, check: TicketCheck, other: Ticket };

interface TenderBarProps {
  readonly choices: readonly TenderChoice[];
  readonly isDisabled: boolean;
  readonly onChoose: (choice: TenderChoice) => void;
}

/** Buttons for payments without a card, each with its key. */
export function TenderBar({ choices, isDisabled, onChoose }: TenderBarProps) {
  useShortcuts(
    t('Sell'),
    choices
      .filter(({ keys }) => keys !== '' && !isDisabled)
      .map((choice) => ({
        keys: choice.keys,
        label: t('Take {{tender}}', { tender: choice.labelInSentence }),
        run: () => onChoose(choice),
      })),
  );
  return (
    <Box role="group" aria-label={t('Without a card')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {choices.map((choice) => {
        const Icon = ICONS[choice.kind];
        return (
          <Button
            key={idOf(choice)}
            disabled={isDisabled}
            onClick={() => onChoose(choice)}
            startIcon={<Icon size={16} aria-hidden />}
            endIcon={choice.keys === '' ? undefined : <KeyHint keys={choice.keys} />}
            aria-keyshortcuts={choice.keys || undefined}
            sx={{ flex: '1 1 120px', minWidth: 'max-content' }}
          >
            {choice.label}
          </Button>
        );
      })}
      {choices.some(({ kind }) => kind === 'cash') && (
        <Button
          variant="text"
          onClick={openDrawerDialog}
          startIcon={<Archive size={16} aria-hidden />}
          endIcon={<KeyHint keys={OPEN_DRAWER_KEYS} />}
          aria-keyshortcuts="Control+O"
        >
          {t('Open drawer')}
        </Button>
      )}
    </Box>
  );
}
