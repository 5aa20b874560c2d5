import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { CodeBlock, CopyText, copyText, Dialog, useShortcuts } from '#renderer/ui';
import type { MadeKey } from './queries.ts';

interface MadeKeyDialogProps {
  readonly made: MadeKey;
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** The key, this once, ready to be pasted. */
export function MadeKeyDialog({ made, tenantId, onClose }: MadeKeyDialogProps) {
  const base = `${location.origin}/api/v1`;
  const env = `PAYDESK_BASE_URL=${base}\nPAYDESK_TENANT_ID=${tenantId}\nPAYDESK_API_KEY=${made.key}`;
  const curl = `curl -X POST ${base}/public/testConnection \\\n  -H 'x-api-key: ${made.key}' \\\n  -H 'X-Tenant-ID: ${tenantId}'`;
  return (
    <Dialog
      title={`The key of ${made.name}`}
      isOpen
      onClose={onClose}
      maxWidth="md"
      actions={
        <>
          <Button variant="text" onClick={() => explore(made.key, tenantId)}>
            Open the explorer with it
          </Button>
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            I have kept it
          </Button>
        </>
      }
    >
      <CopyKey text={made.key} />
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="warning">It is shown this once. Press C to copy it.</Alert>
        <CopyText text={made.key} what="Key" />
        <Block title="As an .env file" text={env} />
        <Block title="Try it" text={curl} />
      </Box>
    </Dialog>
  );
}

/** Passes the key to the explorer in this tab, which forgets it after filling it in. */
function explore(apiKey: string, tenantId: string): void {
  sessionStorage.setItem('paydesk.explorer', JSON.stringify({ apiKey, tenantId }));
  location.assign('/docs');
}

/** Within the dialog, whose keys come first. */
function CopyKey({ text }: { text: string }) {
  useShortcuts('API key', [{ keys: 'C', label: 'Copy the key', run: () => void copyText(text, 'Key') }]);
  return null;
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary', mb: 1 }}>{title}</Box>
      <CodeBlock label={title} text={text} />
      <Button size="small" onClick={() => void copyText(text, title)} sx={{ mt: 1 }}>
        Copy
      </Button>
    </Box>
  );
}
