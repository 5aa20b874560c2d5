import Alert from '@mui/material/Alert';
import Popper from '@mui/material/Popper';
import { useEffect, useState } from 'react';
import { t } from '#renderer/base/language';
import { isCardNumberInFreeText } from './free-text.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Warns beside any free-text field of any screen while it contains a card number, which the service refuses. */
export function FreeTextGuard() {
  const [field, setField] = useState<Field | null>(null);
  useEffect(() => {
    const look = ({ target }: Event) => {
      if (isField(target) && isCardNumberInFreeText(target)) setField(target);
      else setField((warned) => (warned?.isConnected && isCardNumberInFreeText(warned) ? warned : null));
    };
    const events = ['input', 'focusin', 'focusout', 'click'] as const;
    for (const event of events) document.addEventListener(event, look);
    return () => {
      for (const event of events) document.removeEventListener(event, look);
    };
  }, []);
  return (
    <Popper open={field !== null} anchorEl={field} placement="bottom-start" sx={{ zIndex: 'tooltip' }}>
      <Alert severity="warning" sx={{ maxWidth: 420 }}>
        {t('This text contains a card number, so it can’t be saved. Enter card numbers only in card fields.')}
      </Alert>
    </Popper>
  );
}
