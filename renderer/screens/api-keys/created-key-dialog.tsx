import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { CodeBlock, CopyText, copyText, Dialog, useShortcuts } from '#renderer/kit/ui';
import type { CreatedKey } from './queries.ts';

interface CreatedKeyDialogProps {
  readonly createdKey: CreatedKey;
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Shows a new key once, with texts to paste. */
export function CreatedKeyDialog({ createdKey, tenantId, onClose }: CreatedKeyDialogProps) {
  const base = `${location.origin}/api/v1`;
  const env = `PAYDESK_BASE_URL=${base}\nPAYDESK_TENANT_ID=${tenantId}\nPAYDESK_API_KEY=${createdKey.key}`;
  const curl = `curl -X POST ${base}/public/testConnection \\\n  -H 'x-api-key: ${createdKey.key}' \\\n  -H 'X-Tenant-ID: ${tenantId}'`;
  return (
    <Dialog
      title={t('API key for {{name}}', { name: createdKey.name })}
      isOpen
      onClose={onClose}
      maxWidth="md"
      actions={
        <>
          <Button variant="text" onClick={() => explore(createdKey.key, tenantId)}>
            {t('Open API explorer')}
          </Button>
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            {t('I’ve saved it')}
          </Button>
        </>
      }
    >
      <CopyKey text={createdKey.key} />
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Alert severity="warning">{t('This key is shown only once. Press C to copy it.')}</Alert>
        <CopyText text={createdKey.key} label={t('Key')} />
        <Block title={t('.env file')} text={env} />
        <Block title={t('Test request')} text={curl} />
      </Box>
    </Dialog>
  );
}

/** Passes the key to the explorer in this tab, which forgets it after filling it in. */
function explore(apiKey: string, tenantId: string): void {
  sessionStorage.setItem('paydesk.explorer', JSON.stringify({ apiKey, tenantId }));
  location.assign('/docs');
}

/** Shortcut that copies the key. It is a child of the dialog, whose shortcuts have priority. */
function CopyKey({ text }: { text: string }) {
  useShortcuts(t('API key'), [{ keys: 'C', label: t('Copy the key'), run: () => void copyText(text, t('Key')) }]);
  return null;
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary', mb: 1 }}>{title}</Box>
      <CodeBlock label={title} text={text} />
      <Button size="small" onClick={() => void copyText(text, title)} sx={{ mt: 1 }}>
        {t('Copy')}
      </Button>
    </Box>
  );
}
