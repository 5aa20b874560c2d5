import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { onReset } from '#renderer/base/module-state';
import { FrontPage } from '#renderer/kit/ui';
import { finishCompanySignIn, type ProviderAnswer } from '#renderer/session/user';
import { CompanyFailure } from './company-sign-in.tsx';

interface CompanyAnswerScreenProps {
  readonly answer: ProviderAnswer;
  readonly onDone: () => void;
}

let finishing: { readonly state: string; readonly done: ReturnType<typeof finishCompanySignIn> } | undefined;
onReset(() => {
  finishing = undefined;
});

/** Finishes the sign-in once, however often the screen is mounted, because an answer can be used once. */
function finishOnce(answer: ProviderAnswer): ReturnType<typeof finishCompanySignIn> {
  if (finishing?.state !== answer.state) finishing = { state: answer.state, done: finishCompanySignIn(answer) };
  return finishing.done;
}

/** Page at which the provider of a company returns: it signs in, or hands the answer to the desktop application. */
export function CompanyAnswerScreen({ answer, onDone }: CompanyAnswerScreenProps) {
  const [isHanded, setHanded] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    document.title = `${t('Sign in')} · Paydesk`;
    finishOnce(answer).then((result) => (result === 'handed' ? setHanded(true) : onDone()), setFailure);
  }, [answer, onDone]);
  return (
    <FrontPage width={420}>
      <Typography variant="h1" sx={{ mb: 4 }}>
        {t('Company sign-in')}
      </Typography>
      {failure && <CompanyFailure failure={failure} />}
      {isHanded && <Alert severity="success">{t('You’re signed in. Close this page and return to Paydesk.')}</Alert>}
      {!failure && !isHanded && <Typography role="status">{t('Signing in…')}</Typography>}
      {failure && (
        <Button variant="outlined" onClick={onDone} sx={{ mt: 4 }}>
          {t('Back to sign-in')}
        </Button>
      )}
    </FrontPage>
  );
}
