import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, Dialog } from '#renderer/kit/ui';
import { serviceSignature } from './signatures.ts';

type Verdict = 'matches' | 'differs' | 'trimmed';

/** Checks whether body, header and secret match. Runs in this page only and stores nothing. */
export function SignatureChecker({ onClose }: { onClose: () => void }) {
  const [body, setBody] = useState('');
  const [signature, setSignature] = useState('');
  const [secret, setSecret] = useState('');
  const [verdict, setVerdict] = useState<Verdict>();
  const check = async () => {
    const found = await checkSignature(body, signature.trim().toLowerCase(), secret.trim());
    setVerdict(found);
    announce(VERDICTS[found].text);
  };
  const change = (set: (value: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    setVerdict(undefined);
    set(event.target.value);
  };
  return (
    <Dialog
      title={t('Check signature')}
      isOpen
      onClose={onClose}
      onSubmit={() => void check()}
      maxWidth="md"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button type="submit" variant="contained" color="primary" disabled={!body || !signature || !secret}>
            {t('Check signature')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="check-body"
          label={t('Raw request body')}
          value={body}
          onChange={change(setBody)}
          multiline
          minRows={4}
          maxRows={10}
          autoFocus
          slotProps={{ htmlInput: { className: 'mono', spellCheck: false, autoComplete: 'off' } }}
        />
        <TextField
          id="check-signature"
          label="X-Service-Signature"
          value={signature}
          onChange={change(setSignature)}
          slotProps={{ htmlInput: { className: 'mono', spellCheck: false, autoComplete: 'off' } }}
        />
        <TextField
          id="check-secret"
          label={t('Secret of the endpoint')}
          value={secret}
          onChange={change(setSecret)}
          slotProps={{ htmlInput: { className: 'mono', spellCheck: false, autoComplete: 'off' } }}
        />
        {verdict && <Alert severity={VERDICTS[verdict].tone}>{VERDICTS[verdict].text}</Alert>}
      </Box>
    </Dialog>
  );
}

const VERDICTS: Readonly<Record<Verdict, { tone: 'success' | 'warning' | 'error'; text: string }>> = {
  matches: { tone: 'success', text: t('The signature matches: the body is unchanged.') },
  trimmed: {
    tone: 'warning',
    text: t('The signature matches without the white space around the body. Sign the raw bytes, not an edited copy.'),
  },
  differs: {
    tone: 'error',
    text: t(
      'The signature doesn’t match. Either the body was changed (for example, parsed and serialized again), or the secret is different.',
    ),
  },
};

async function checkSignature(body: string, signature: string, secret: string): Promise<Verdict> {
  if ((await serviceSignature(secret, body)) === signature) return 'matches';
  return (await serviceSignature(secret, body.trim())) === signature ? 'trimmed' : 'differs';
}
