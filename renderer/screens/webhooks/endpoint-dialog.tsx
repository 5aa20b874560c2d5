import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '#renderer/client';
import { Dialog, FailureNote } from '#renderer/ui';
import { EVENT_TYPES, EVERY_TYPE } from './event-types.ts';
import { createEndpoint, refreshWebhooks, updateEndpoint } from './queries.ts';

export interface EndpointDialogProps {
  /** The endpoint to change; without one a new one is made. */
  readonly endpoint?: WebhookEndpoint;
  /** `secret` is that of a new endpoint. */
  readonly onDone: (endpointId: string, secret?: string) => void;
  readonly onClose: () => void;
}

/** Registers an endpoint, or changes one: where to, what, and a word for people. */
export function EndpointDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const [url, setUrl] = useState(endpoint?.url ?? 'https://');
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? [EVERY_TYPE]);
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const save = useMutation({
    mutationFn: async () => {
      const form = { url: url.trim(), events, description: description.trim() };
      if (endpoint) return { ...(await updateEndpoint(endpoint.id, form)), secret: undefined };
      return createEndpoint(form);
    },
    onSuccess: ({ id, secret }) => {
      void refreshWebhooks();
      onDone(id, secret);
    },
  });
  const isEvery = events.includes(EVERY_TYPE);
  const isUrlWrong = save.error?.field === 'url';
  const toggle = (type: string) => setEvents(events.includes(type) ? events.filter((known) => known !== type) : [...events, type]);
  return (
    <Dialog
      title={endpoint ? 'Change the endpoint' : 'New webhook endpoint'}
      isOpen
      onClose={onClose}
      onSubmit={() => !save.isPending && save.mutate()}
      maxWidth="md"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={save.isPending}>
            {endpoint ? 'Save' : 'Register the endpoint'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="endpoint-url"
          label="Address, HTTPS"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          error={isUrlWrong}
          helperText={isUrlWrong ? save.error?.message : 'Sandbox accounts may send to this machine: https://localhost:8443/hooks'}
          autoFocus
          slotProps={{ htmlInput: { inputMode: 'url', autoComplete: 'off', spellCheck: false } }}
        />
        <TextField
          id="endpoint-description"
          label="Description, optional"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 500, autoComplete: 'off' } }}
        />
        <Box component="fieldset" sx={{ border: 0, m: 0, p: 0 }}>
          <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, mb: 1 }}>
            Events
          </Box>
          <FormControlLabel
            control={<Checkbox size="small" checked={isEvery} onChange={() => setEvents(isEvery ? [] : [EVERY_TYPE])} />}
            label="Every event, also those of later versions"
          />
          {!isEvery && (
            <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, columnGap: 6, rowGap: 2, mt: 1 }}>
              {Object.entries(EVENT_TYPES).map(([area, types]) => (
                <Box key={area}>
                  <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{area}</Box>
                  <FormGroup>
                    {types.map((type) => (
                      <FormControlLabel
                        key={type}
                        control={<Checkbox size="small" checked={events.includes(type)} onChange={() => toggle(type)} />}
                        label={
                          <Box component="span" className="mono" sx={{ fontSize: 12 }}>
                            {type}
                          </Box>
                        }
                      />
                    ))}
                  </FormGroup>
                </Box>
              ))}
            </Box>
          )}
        </Box>
        {save.error && !isUrlWrong && <FailureNote failure={save.error} />}
      </Box>
    </Dialog>
  );
}
