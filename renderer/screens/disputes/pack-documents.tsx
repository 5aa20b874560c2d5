import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { DisputeDetail, DisputeEvidence } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { ConfirmDialog, NOT_PRINTED, useSubmit } from '#renderer/kit/ui';
import { detach, refreshDisputes } from './queries.ts';

interface PackDocumentsProps {
  readonly dispute: DisputeDetail;
  readonly evidence: DisputeEvidence;
  /** IDs of attachments and names of documents that the next pack leaves out. */
  readonly leftOut: ReadonlySet<string>;
  readonly onChange: (leftOut: ReadonlySet<string>) => void;
}

const BYTES_IN_KB = 1_024;

/** Documents of the next pack: each can be left out, and attached ones can be removed from the dispute. */
export function PackDocuments({ dispute, evidence, leftOut, onChange }: PackDocumentsProps) {
  const [asked, setAsked] = useState<{ id: string; name: string }>();
  const removing = useSubmit({
    send: (attachmentId: string) => detach(dispute.disputeId, attachmentId),
    refresh: refreshDisputes,
    announcement: ({ name }) => t('{{name}} removed.', { name }),
    onClose: () => setAsked(undefined),
  });
  const labels = new Map(evidence.checklist.map(({ item, label }) => [item, serviceText(label)]));
  const own = evidence.documents.map(({ document, title }) => ({
    id: document,
    name: serviceText(title),
    detail: t('added by Paydesk'),
    isAttached: false,
  }));
  const attached = evidence.attachments.map(({ attachmentId, item, name, pages, bytes }) => ({
    id: attachmentId,
    name,
    detail: [
      labels.get(item) ?? item,
      t('{{count, number}} pages', { count: pages }),
      `${Math.max(1, Math.round(bytes / BYTES_IN_KB))} KB`,
    ].join(', '),
    isAttached: true,
  }));
  const choose = (id: string, isIncluded: boolean) => {
    const next = new Set(leftOut);
    if (isIncluded) next.delete(id);
    else next.add(id);
    onChange(next);
  };
  return (
    <Box sx={NOT_PRINTED}>
      <Typography id="pack-documents" variant="h4" sx={{ fontSize: 13, fontWeight: 600, mb: 1 }}>
        {t('Documents in the pack')}
      </Typography>
      <ConfirmDialog
        {...removing}
        title={t('Remove the document?')}
        isOpen={asked !== undefined}
        submitLabel={t('Remove')}
        isDangerous
        onSubmit={() => asked && removing.onSubmit(asked.id)}
      >
        {t('{{name}} is deleted from this dispute. To use it again, attach the file again.', { name: asked?.name ?? '' })}
      </ConfirmDialog>
      <Box component="ul" aria-labelledby="pack-documents" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 13 }}>
        {[...own, ...attached].map(({ id, name, detail, isAttached }) => (
          <Box component="li" key={id} sx={{ display: 'flex', gap: 3, alignItems: 'center', minHeight: 36 }}>
            <FormControlLabel
              control={<Checkbox size="small" checked={!leftOut.has(id)} onChange={(_, isIncluded) => choose(id, isIncluded)} />}
              label={
                <Box component="span" sx={{ fontSize: 13, overflowWrap: 'anywhere' }}>
                  {name} <Box component="span" sx={{ color: 'text.secondary' }}>{`(${detail})`}</Box>
                </Box>
              }
              sx={{ flex: 1, minWidth: 0, m: 0, marginInlineStart: -1.5 }}
            />
            {isAttached && (
              <Button size="small" onClick={() => setAsked({ id, name })} aria-label={t('Remove the document {{name}}', { name })}>
                {t('Remove')}
              </Button>
            )}
          </Box>
        ))}
      </Box>
    </Box>
  );
}
