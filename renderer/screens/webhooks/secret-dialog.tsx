import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { CodeBlock, CopyText, copyText, Dialog } from '#renderer/kit/ui';
import { SNIPPETS } from './snippets.ts';

/** Shows the secret of an endpoint once, with code that verifies deliveries. */
export function SecretDialog({ secret, isRotated, onClose }: { secret: string; isRotated: boolean; onClose: () => void }) {
  const [name, setName] = useState(SNIPPETS[0]?.name ?? '');
  const code = SNIPPETS.find((snippet) => snippet.name === name)?.code ?? '';
  return (
    <Dialog
      title={isRotated ? t('New signing secret') : t('Signing secret')}
      isOpen
      onClose={onClose}
      maxWidth="md"
      actions={
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          {t('I’ve saved it')}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="warning">
          {t('This secret is shown only once.')}
          {isRotated && ` ${t('For 24 hours, deliveries are also signed with the previous secret in X-Service-Signature-Previous.')}`}
        </Alert>
        <Box sx={{ fontSize: 14 }}>
          <CopyText text={secret} label={t('Secret')} />
        </Box>
        <Box>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('Verify each delivery with this secret:')}</Box>
          <TabRow
            label={t('Language', { context: 'code' })}
            tabs={SNIPPETS.map((snippet) => ({ id: snippet.name, name: snippet.name }))}
            value={name}
            onChange={setName}
          />
          <CodeBlock label={t('How to verify in {{language}}', { language: name })} text={code} />
          <Button size="small" onClick={() => void copyText(code, t('Code'))} sx={{ mt: 2 }}>
            {t('Copy code')}
          </Button>
        </Box>
      </Box>
    </Dialog>
  );
}
