import Alert from '@mui/material/Alert';
import { t } from '#renderer/base/language';
import { CopyText } from '#renderer/kit/ui';
import { CodeActions } from './code-actions.tsx';

/** Code of a new gift card, which is shown only once. */
export function CodeNote({ code, amount }: { code: string; amount: string }) {
  return (
    <Alert severity="info">
      <CopyText text={code} label={t('Code')} />
      <div>{t('Write this code on the card now. It can’t be shown again.')}</div>
      <CodeActions code={code} amount={amount} />
    </Alert>
  );
}
