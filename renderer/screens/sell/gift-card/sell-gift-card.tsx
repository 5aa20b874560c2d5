import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { Gift } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount, toMinor } from '#renderer/base/money';
import { ChoiceButtons } from '#renderer/kit/choices';
import { ariaKeys, FailureNote, FormDialog, focusField, keyLabel, useAfterRender, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { codeBody, findGiftCard } from '#renderer/shared/gift-cards';
import type { GiftCardLine } from '../items/basket.ts';

const KEYS = 'Mod+G';

/** Button that adds a gift card to the sale. */
export function SellGiftCard({ frozen, onAdd }: { frozen: boolean; onAdd: GiftCardDialogProps['onAdd'] }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcuts(t('Sell'), frozen ? [] : [{ keys: KEYS, label: t('Sell gift card'), run: open }]);
  return (
    <>
      <Button
        variant="text"
        size="small"
        disabled={frozen}
        onClick={open}
        startIcon={<Gift size={16} aria-hidden />}
        title={keyLabel(KEYS)}
        aria-keyshortcuts={ariaKeys(KEYS)}
        sx={{ justifySelf: 'start', alignSelf: 'start' }}
      >
        {t('Sell gift card')}
      </Button>
      {isOpen && <GiftCardDialog onAdd={onAdd} onClose={() => setOpen(false)} />}
    </>
  );
}

type Kind = 'new' | 'printed' | 'reload';

const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly note: string }[] = [
  { kind: 'new', label: t('New code'), note: t('The code is shown and printed after the payment, once.') },
  { kind: 'printed', label: t('Printed card'), note: t('A card that already has a code.') },
  { kind: 'reload', label: t('Reload'), note: t('Adds the amount to a card that the customer has.') },
];

interface GiftCardDialogProps {
  readonly onAdd: (description: string, minor: number, giftCard: GiftCardLine) => void;
  readonly onClose: () => void;
}

/** Asks for the amount of a gift card, and for the code of a printed card or of one that is reloaded. */
function GiftCardDialog({ onAdd, onClose }: GiftCardDialogProps) {
  const { merchantId, currency } = useMerchant();
  const canLookUp = useMay()('gift-cards:read');
  const [kind, setKind] = useState<Kind>('new');
  const [amount, setAmount] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [problem, setProblem] = useState<string>();
  // The code is in no state: only the field has it, and the line that the order sends.
  const code = useRef<HTMLInputElement>(null);
  const pin = useRef<HTMLInputElement>(null);
  const afterRender = useAfterRender();
  const read = readAmount(amount, currency);
  const kinds = KINDS.filter((each) => each.kind !== 'reload' || canLookUp);

  const add = async () => {
    setChecked(true);
    setFailure(null);
    setProblem(undefined);
    if (read.kind !== 'valid') return focusField('gift-card-amount');
    const typed = { code: code.current?.value ?? '', pin: pin.current?.value ?? '' };
    if (kind !== 'new' && typed.code.trim() === '') {
      setProblem(t('Enter the code of the card.'));
      return focusField('gift-card-code');
    }
    const minor = toMinor(Number(read.decimal), currency);
    if (kind === 'new') onAdd(t('Gift card'), minor, {});
    else if (kind === 'printed') {
      const named = codeBody(typed);
      onAdd(t('Gift card {{characters}}', { characters: lastCharactersOf(named.code) }), minor, named);
    } else {
      setBusy(true);
      try {
        const { giftCardId, lastCharacters } = await findGiftCard(merchantId, typed);
        onAdd(t('Reload of gift card {{characters}}', { characters: lastCharacters ?? '' }), minor, { giftCardId });
      } catch (cause) {
        if (!(cause instanceof ApiFailure)) throw cause;
        setFailure(cause);
        return focusField('gift-card-code');
      } finally {
        setBusy(false);
      }
    }
    onClose();
  };
  return (
    <FormDialog
      title={t('Sell gift card')}
      submitLabel={t('Add to sale')}
      isBusy={isBusy}
      onSubmit={() => void add()}
      onClose={onClose}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="gift-card-amount"
          label={t('Amount, {{currency}}', { currency })}
          value={amount}
          autoFocus
          onChange={({ target }) => setAmount(target.value)}
          error={isChecked && read.kind !== 'valid'}
          helperText={isChecked ? amountProblem(amount, currency) : undefined}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
        />
        <Box>
          <ChoiceButtons
            label={t('Card')}
            options={kinds.map((each) => [each.kind, each.label] as const)}
            value={kind}
            onChange={(next) => {
              setKind(next);
              setProblem(undefined);
              if (next !== 'new') afterRender(() => focusField('gift-card-code'));
            }}
          />
          <Box sx={{ fontSize: 13, color: 'text.secondary', pt: 2 }}>{KINDS.find((each) => each.kind === kind)?.note}</Box>
        </Box>
        {kind !== 'new' && (
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr) 120px' }}>
            <TextField
              id="gift-card-code"
              label={t('Code')}
              inputRef={code}
              error={problem !== undefined}
              helperText={problem}
              slotProps={{ htmlInput: { ...PRIVATE, maxLength: 120 } }}
            />
            <TextField
              id="gift-card-pin"
              label={t('PIN (optional)')}
              inputRef={pin}
              slotProps={{ htmlInput: { ...PRIVATE, maxLength: 12 } }}
            />
          </Box>
        )}
        {failure && <FailureNote failure={failure} />}
      </Box>
    </FormDialog>
  );
}

/** Neither the browser nor a password manager keeps the code of a card. */
const PRIVATE = {
  autoComplete: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': true,
  'data-form-type': 'other',
} as const;

/** Returns the last characters of a code as it was typed or read, which the screen may show. */
function lastCharactersOf(code: string): string {
  const stripe = /^(?:%[A-Z]?|;)?([^%;?=^]*)/i.exec(code.trim())?.[1] ?? '';
  return stripe.replace(/[\s-]/g, '').toUpperCase().slice(-4);
}
