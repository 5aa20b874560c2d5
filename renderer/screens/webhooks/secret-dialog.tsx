import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useState } from 'react';
import { CodeBlock, CopyText, copyText, Dialog } from '#renderer/ui';
import { SNIPPETS } from './snippets.ts';

/** The secret of an endpoint, this once, and what to do with it. */
export function SecretDialog({ secret, isRotated, onClose }: { secret: string; isRotated: boolean; onClose: () => void }) {
  const [name, setName] = useState(SNIPPETS[0]?.name ?? '');
  const code = SNIPPETS.find((snippet) => snippet.name === name)?.code ?? '';
  return (
    <Dialog
      title={isRotated ? 'The new secret' : 'The secret of this endpoint'}
      isOpen
      onClose={onClose}
      maxWidth="md"
      actions={
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          I have kept it
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="warning">
          It is shown this once.{isRotated && ' For 24 hours the secret before signs too, in X-Service-Signature-Previous.'}
        </Alert>
        <Box sx={{ fontSize: 14 }}>
          <CopyText text={secret} what="Secret" />
        </Box>
        <Box>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>Your receiver checks each delivery with it:</Box>
          <Tabs value={name} onChange={(_, chosen: string) => setName(chosen)} aria-label="Language">
            {SNIPPETS.map((snippet) => (
              <Tab key={snippet.name} value={snippet.name} label={snippet.name} />
            ))}
          </Tabs>
          <CodeBlock label={`How to verify in ${name}`} text={code} />
          <Button size="small" onClick={() => void copyText(code, 'Code')} sx={{ mt: 2 }}>
            Copy the code
          </Button>
        </Box>
      </Box>
    </Dialog>
  );
}
