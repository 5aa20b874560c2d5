import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestFile } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, FailureNote, MutedText, PasswordField, Section, SelectField } from '#renderer/kit/ui';
import { saveAs, saveCsv } from '#renderer/session/download';
import { useMay, useMerchant } from '#renderer/session/user';
import { createExport, type NewExport } from './queries.ts';

/** Exports of customers: without numbers for everyone, with numbers for owners. */
export function ExportTab({ mayExportNumbers }: { readonly mayExportNumbers: boolean }) {
  const { merchantId } = useMerchant();
  const mayExport = useMay()('customers:export');
  const saving = useMutation({
    mutationFn: () => saveCsv({ path: '/api/v1/customers/export', query: { merchantId }, name: 'customers.csv', rows: 0 }),
  });
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 6 }}>
      <Section title={t('Without card numbers')}>
        <Box sx={{ display: 'grid', gap: 3 }}>
          <MutedText>{t('A CSV file with names, tokens and last four digits.')}</MutedText>
          {mayExport ? (
            <Box>
              <Button loading={saving.isPending} onClick={() => saving.mutate()}>
                {t('Export CSV')}
              </Button>
            </Box>
          ) : (
            <MutedText>{t('Your role can view customers, but not export them. Ask an owner or admin for the right to export.')}</MutedText>
          )}
          {saving.error && <FailureNote failure={saving.error} />}
        </Box>
      </Section>
      {mayExportNumbers && <NumbersSection merchantId={merchantId} />}
    </Box>
  );
}

function NumbersSection({ merchantId }: { readonly merchantId: string }) {
  const [publicKey, setPublicKey] = useState('');
  const [layout, setLayout] = useState<NewExport['layout']>('paydesk');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const exporting = useMutation({
    async mutationFn() {
      const { exportId } = await createExport({
        publicKey,
        layout,
        merchantId,
        currentPassword: password,
        ...(code.trim() !== '' && { currentCode: code.trim() }),
      });
      const response = await requestFile(`/api/v1/customers/exports/${exportId}/file`, 'POST');
      saveAs(await response.blob(), layout === 'paydesk' ? 'customers.jsonl.pgp' : 'customers.json.pgp');
    },
    onSuccess: () => {
      setPassword('');
      setCode('');
      announce(t('The export was downloaded.'));
    },
  });
  return (
    <Section title={t('With card numbers, for another provider')}>
      <MutedText>
        {t(
          'The file is encrypted for the OpenPGP key of the recipient, who alone can open it. Compare the key’s fingerprint with the recipient by telephone.',
        )}
      </MutedText>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!exporting.isPending) exporting.mutate();
        }}
        sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4, maxWidth: 640, mt: 4 }}
      >
        <TextField
          id="recipient-key"
          label={t('Public key of the recipient')}
          placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
          multiline
          minRows={4}
          maxRows={10}
          required
          value={publicKey}
          onChange={({ target }) => setPublicKey(target.value)}
          slotProps={{ htmlInput: { spellCheck: false, autoComplete: 'off', style: { fontFamily: 'monospace', fontSize: 12 } } }}
        />
        <SelectField
          id="export-layout"
          label={t('Layout')}
          value={layout}
          options={[
            ['paydesk', t('Paydesk: everything, JSON Lines')],
            ['stripe', t('Stripe: cards, JSON')],
          ]}
          onChange={setLayout}
          sx={{ width: 320, maxWidth: '100%' }}
        />
        <PasswordField id="export-password" label={t('Your password')} value={password} onValue={setPassword} purpose="current-password" />
        <TextField
          id="export-code"
          label={t('Authenticator code, if you have one')}
          value={code}
          onChange={({ target }) => setCode(target.value)}
          slotProps={{ htmlInput: { maxLength: 20, autoComplete: 'one-time-code' } }}
          sx={{ width: 320, maxWidth: '100%' }}
        />
        {exporting.error && <FailureNote failure={exporting.error} />}
        <Box>
          <Button type="submit" variant="contained" color="primary" loading={exporting.isPending}>
            {t('Export with card numbers')}
          </Button>
        </Box>
      </Box>
    </Section>
  );
}
