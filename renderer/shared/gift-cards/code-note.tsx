import Alert from '@mui/material/Alert';
import { t } from '#renderer/base/language';
import { CopyText } from '#renderer/kit/ui';

/** Code of a new gift card, which is shown only once. */
export function CodeNote({ code }: { code: string }) {
  return (
    <Alert severity="info">
      <CopyText text={code} label={t('Code')} />
      <div>{t('Write this code on the card now. It can’t be shown again.')}</div>
    </Alert>
  );
}
