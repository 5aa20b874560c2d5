import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { WebhookEndpoint } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { EVERY_TYPE } from '#shared/webhook-events';
import { EventsField } from './events-field.tsx';
import { CatchUpField } from './history/catch-up-field.tsx';
import { createEndpoint, refreshWebhooks, updateEndpoint } from './queries.ts';

interface EndpointDialogProps {
  /** The endpoint to change; without it, a new endpoint is created. */
  readonly endpoint?: WebhookEndpoint;
  /** `secret` is the signing secret of a new endpoint. */
  readonly onDone: (endpointId: string, secret?: string) => void;
  readonly onClose: () => void;
}

/** Creates an endpoint, or changes its URL, events and description. */
export function EndpointDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? [EVERY_TYPE]);
  const [isCatchingUp, setCatchingUp] = useState(false);
  const [since, setSince] = useState(useToday());
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const save = useSubmit({
    send: async () => {
      const form = { url: url.trim(), events, description: description.trim() };
      if (endpoint) return { ...(await updateEndpoint(endpoint.id, form)), secret: undefined };
      return createEndpoint({ ...form, ...(isCatchingUp && since && { since }) });
    },
    refresh: refreshWebhooks,
    onDone: ({ id, secret }) => onDone(id, secret),
    onClose,
  });
  const isUrlWrong = save.failure?.field === 'url';
  return (
    <FormDialog
      {...save}
      failure={isUrlWrong ? null : save.failure}
      title={endpoint ? t('Edit endpoint') : t('New webhook endpoint')}
      submitLabel={endpoint ? t('Save') : t('Create endpoint')}
      maxWidth="md"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="endpoint-url"
          label={t('URL (HTTPS)')}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={isUrlWrong}
          helperText={
            isUrlWrong ? save.failure?.message : t('Sandbox accounts can also send to this computer, such as https://localhost:8443/hooks')
          }
          autoFocus
          slotProps={{ htmlInput: { inputMode: 'url', autoComplete: 'off', spellCheck: false } }}
        />
        <TextField
          id="endpoint-description"
          label={t('Description (optional)')}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 500, autoComplete: 'off' } }}
        />
        <EventsField events={events} onChange={setEvents} />
        {!endpoint && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
            <FormControlLabel
              control={<Checkbox checked={isCatchingUp} onChange={(event) => setCatchingUp(event.target.checked)} />}
              label={t('Also send what happened earlier')}
            />
            <CatchUpField events={events} from={since} onChange={setSince} isDisabled={!isCatchingUp} />
          </Box>
        )}
      </Box>
    </FormDialog>
  );
}
