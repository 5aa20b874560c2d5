import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { ConfirmDialog, FormDialog, keyLabel, useShortcuts } from '#renderer/kit/ui';
import type { SaleType } from '../form/form.ts';
import { useNewCodes } from '../gift-card/new-codes.ts';
import type { Basket } from '../items/use-basket.ts';
import type { Stage } from '../state/stage.ts';
import type { SplitSale } from './use-split-sale.ts';

const SPLIT_KEYS = 'Mod+Shift+E';
const PARK_KEYS = 'Mod+Shift+H';
const NAME_MAX = 60;

interface SplitTerminal {
  readonly stage: Stage;
  readonly type: SaleType;
  readonly sale: SplitSale;
  readonly basket: Basket;
}

/** Buttons that split the sale into several payments, and put it aside. */
export function SplitButtons({ terminal: { stage, type, sale, basket } }: { terminal: SplitTerminal }) {
  const [isParking, setParking] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const frozen = stage.kind !== 'entry' || sale.isBusy || type === 'auth';
  const canSplit = !frozen && sale.order === null;
  const codes = useNewCodes(sale.order?.orderId ?? '');
  // Only this page knows the code of a new gift card, and another till could not show it.
  const hasNewCode = Object.keys(codes).length > 0 || basket.giftCards().some(({ code, giftCardId }) => (code ?? giftCardId) === undefined);
  const canPark = !frozen && !hasNewCode && (sale.order === null || sale.order.actions.park.allowed);
  const ask = () => setParking(true);
  useShortcuts(t('Sell'), [
    ...(canSplit ? [{ keys: SPLIT_KEYS, label: t('Split'), run: sale.split }] : []),
    ...(canPark ? [{ keys: PARK_KEYS, label: t('Park', { context: 'sale' }), run: ask }] : []),
  ]);
  const park = () => {
    setParking(false);
    sale.park(name.current?.value.trim() ?? '');
  };
  return (
    <>
      {sale.order === null && (
        <Button size="small" disabled={!canSplit} onClick={sale.split} title={keyLabel(SPLIT_KEYS)}>
          {t('Split')}
        </Button>
      )}
      <Button size="small" disabled={!canPark} onClick={ask} title={keyLabel(PARK_KEYS)}>
        {t('Park', { context: 'sale' })}
      </Button>
      <ConfirmDialog
        title={t('The sale is canceled.')}
        isOpen={sale.handBack !== null}
        submitLabel={t('Done')}
        onSubmit={sale.handedBack}
        onClose={sale.handedBack}
      >
        {t('Hand back {{amount}} in cash.', { amount: sale.handBack ?? '' })}
      </ConfirmDialog>
      {isParking && (
        <FormDialog
          title={t('Park this sale')}
          submitLabel={t('Park sale')}
          onSubmit={park}
          onClose={() => setParking(false)}
          maxWidth="xs"
        >
          <TextField
            inputRef={name}
            label={t('Name or table (optional)')}
            helperText={t('Every till of the merchant finds the sale by its name or number.')}
            autoFocus
            fullWidth
            slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
          />
        </FormDialog>
      )}
    </>
  );
}
