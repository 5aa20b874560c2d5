import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { fromMinor } from '#renderer/base/money';
import { ariaKeys, keyLabel, showToast, useAfterRender, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import type { Terminal } from '../use-terminal.ts';
import type { Discount } from './discount.ts';
import { DiscountDialog } from './discount-dialog.tsx';
import { forgetDiscount, requestDiscount } from './granted-discount.ts';
import { discountedPrice } from './price.ts';

const DISCOUNT_KEYS = 'Mod+D';

/** Button that takes a discount off the sale. */
export function DiscountButton({ terminal }: { terminal: Terminal }) {
  const { basket, form, rules, stage } = terminal;
  const frozen = stage.kind !== 'entry';
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcuts(t('Sell'), frozen ? [] : [{ keys: DISCOUNT_KEYS, label: t('Discount'), run: open }]);
  const price = discountedPrice(basket, form.amount, rules.currency);
  const { merchantId } = useMerchant();
  const afterRender = useAfterRender();
  const latestPrice = useRef(price);
  latestPrice.current = price;

  const apply = (lineId: number | null, discount: Discount | null, before: Discount | null) => {
    basket.setDiscount(lineId, discount);
    forgetDiscount();
    if (discount !== null) afterRender(() => void request(() => basket.setDiscount(lineId, before)));
  };
  /** Requests the discount before the card is entered. While the price is not known, the charge requests it. */
  const request = async (undo: () => void) => {
    const { priceMinor = 0, discountMinor = 0 } = latestPrice.current ?? {};
    if (discountMinor === 0) return;
    const { currency } = rules;
    const amounts = { price: fromMinor(priceMinor, currency), discountAmount: fromMinor(discountMinor, currency) };
    try {
      await requestDiscount({ merchantId, currency, ...amounts });
    } catch (failure) {
      // Without a response, the charge requests it again.
      if (!(failure instanceof ApiFailure) || failure.code !== 'NOT_APPROVED') return;
      undo();
      showToast(failure.message);
    }
  };
  return (
    <>
      <Button
        variant="text"
        size="small"
        disabled={frozen}
        onClick={open}
        title={keyLabel(DISCOUNT_KEYS)}
        aria-keyshortcuts={ariaKeys(DISCOUNT_KEYS)}
        sx={{ color: 'text.secondary' }}
      >
        {t('Discount')}
      </Button>
      {isOpen && (
        <DiscountDialog basket={basket} amount={form.amount} currency={rules.currency} onApply={apply} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
