import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { fromMinor } from '#renderer/base/money';
import { ariaKeys, keyLabel, showToast, useAfterRender, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { forgetDiscount, requestDiscount } from '../charge/granted-discount.ts';
import type { Discount } from '../form/discount.ts';
import { discountedPrice } from '../items/basket.ts';
import type { Basket } from '../items/use-basket.ts';
import { DiscountDialog } from './discount-dialog.tsx';

const DISCOUNT_KEYS = 'Mod+D';

interface DiscountButtonProps {
  readonly basket: Basket;
  /** The amount as typed. */
  readonly amount: string;
  readonly currency: string;
  readonly frozen: boolean;
}

/** Button that takes a discount off the sale. */
export function DiscountButton({ basket, amount, currency, frozen }: DiscountButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcuts(t('Sell'), frozen ? [] : [{ keys: DISCOUNT_KEYS, label: t('Discount'), run: open }]);
  const price = discountedPrice(basket, amount, currency);
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
      <Button size="small" disabled={frozen} onClick={open} title={keyLabel(DISCOUNT_KEYS)} aria-keyshortcuts={ariaKeys(DISCOUNT_KEYS)}>
        {t('Discount')}
      </Button>
      {isOpen && <DiscountDialog basket={basket} amount={amount} currency={currency} onApply={apply} onClose={() => setOpen(false)} />}
    </>
  );
}
