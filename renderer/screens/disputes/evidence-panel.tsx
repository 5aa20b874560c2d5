import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type DisputeDetail, type DisputeEvidence, requestFile } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { FailureNote, NOT_PRINTED, TimeText, useShortcuts, useSubmit } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { useMerchant } from '#renderer/session/user';
import { PackDocuments } from './pack-documents.tsx';
import { attach, createPack, type EvidenceItem, refreshDisputes } from './queries.ts';

/** Names of the states of an item of the checklist. */
const EVIDENCE_STATES: Readonly<Record<string, string>> = { found: t('Found'), missing: t('Missing'), not_kept: t('Not kept') };

interface EvidenceProps {
  readonly dispute: DisputeDetail;
  readonly evidence: DisputeEvidence;
  readonly canChange: boolean;
}

const TONES = { found: 'success.main', missing: 'warning.main', not_kept: 'text.secondary' } as const;
const LETTER_MAX = 20_000;

export const LETTER_FIELD = 'dispute-letter';

/** Checklist, letter and packs of a dispute. */
export function EvidencePanel({ dispute, evidence, canChange }: EvidenceProps) {
  const [letter, setLetter] = useState<string>();
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const text = letter ?? evidence.letter;
  const packing = useSubmit({
    send: () =>
      createPack(dispute.disputeId, {
        ...(letter === undefined ? {} : { letter }),
        attachmentIds: evidence.attachments.map(({ attachmentId }) => attachmentId).filter((id) => !leftOut.has(id)),
        documents: evidence.documents.map(({ document }) => document).filter((document) => !leftOut.has(document)),
      }),
    refreshFirst: refreshDisputes,
    announcement: ({ pages }) => t('Evidence pack created: {{count, number}} pages.', { count: pages }),
  });
  useShortcuts(
    t('Evidence'),
    canChange ? [{ keys: 'E', label: t('Create evidence pack'), run: () => !packing.isBusy && packing.onSubmit() }] : [],
  );
  return (
    <Box component="section" aria-label={t('Evidence')} sx={{ display: 'grid', gap: 4 }}>
      <Typography variant="h3" sx={{ fontSize: 14 }}>
        {t('Evidence')}
      </Typography>
      <Checklist dispute={dispute} evidence={evidence} canChange={canChange} />
      {canChange && <PackDocuments dispute={dispute} evidence={evidence} leftOut={leftOut} onChange={setLeftOut} />}
      <TextField
        id={LETTER_FIELD}
        label={t('Letter to the acquirer')}
        value={text}
        onChange={(event) => setLetter(event.target.value)}
        multiline
        minRows={4}
        maxRows={14}
        helperText={letter === undefined && leftOut.size > 0 ? t('In the pack, the draft names only what is included.') : undefined}
        sx={NOT_PRINTED}
        slotProps={{ htmlInput: { maxLength: LETTER_MAX, readOnly: !canChange, style: { fontSize: 13 } } }}
      />
      {/* A field would print only the lines that it shows. */}
      <Box sx={{ display: 'none', '@media print': { display: 'block' }, whiteSpace: 'pre-wrap', fontSize: 13 }}>{text}</Box>
      {packing.failure && <FailureNote failure={packing.failure} />}
      {canChange && (
        <Box>
          <Button
            {...(evidence.packs.length === 0 && { variant: 'contained', color: 'primary' })}
            loading={packing.isBusy}
            onClick={() => packing.onSubmit()}
            title="E"
            aria-keyshortcuts="E"
          >
            {t('Create evidence pack')}
          </Button>
        </Box>
      )}
      <Packs dispute={dispute} evidence={evidence} />
    </Box>
  );
}

function Checklist({ dispute, evidence, canChange }: EvidenceProps) {
  const picker = useRef<HTMLInputElement>(null);
  const item = useRef<EvidenceItem>(undefined);
  const attaching = useSubmit({
    send: ({ item: name, file }: { item: EvidenceItem; file: File }) => attach(dispute.disputeId, name, file),
    refreshFirst: refreshDisputes,
    announcement: t('Document attached.'),
  });
  const pick = (name: EvidenceItem) => {
    item.current = name;
    picker.current?.click();
  };
  return (
    <>
      {attaching.failure && <FailureNote failure={attaching.failure} />}
      <input
        ref={picker}
        type="file"
        hidden
        accept="application/pdf,image/png,image/jpeg"
        aria-label={t('Document')}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file && item.current) attaching.onSubmit({ item: item.current, file });
          event.target.value = '';
        }}
      />
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2.5 }}>
        {evidence.checklist.map(({ item: name, label, state, detail }) => (
          <Box component="li" key={name} data-item={name} data-state={state} sx={{ display: 'flex', gap: 3, alignItems: 'start' }}>
            <Box
              sx={{ width: 68, flex: 'none', fontSize: 12, fontWeight: 600, lineHeight: '20px', color: TONES[state as keyof typeof TONES] }}
            >
              {EVIDENCE_STATES[state]}
            </Box>
            <Box sx={{ flex: 1, fontSize: 13 }}>
              <Box sx={{ fontWeight: 600 }}>{serviceText(label)}</Box>
              <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{serviceText(detail)}</Box>
            </Box>
            {canChange && state !== 'not_kept' && (
              <Button size="small" onClick={() => pick(name)} aria-label={t('Attach a document: {{label}}', { label: serviceText(label) })}>
                {t('Attach')}
              </Button>
            )}
          </Box>
        ))}
      </Box>
    </>
  );
}

function Packs({ dispute, evidence }: Pick<EvidenceProps, 'dispute' | 'evidence'>) {
  const { timezone } = useMerchant();
  const downloading = useMutation({
    mutationFn: async ({ packId, format }: { packId: string; format: 'pdf' | 'zip' }) => {
      const response = await requestFile(`/api/v1/disputes/${dispute.disputeId}/evidence/${packId}?format=${format}`);
      saveAs(await response.blob(), `${dispute.disputeId}.${format}`);
    },
  });
  if (evidence.packs.length === 0) return null;
  return (
    <Box component="ul" aria-label={t('Evidence packs')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5, fontSize: 13 }}>
      {downloading.error && <FailureNote failure={downloading.error} />}
      {evidence.packs.map(({ packId, pages, createdAt }) => (
        <Box component="li" key={packId} sx={{ display: 'flex', gap: 3 }}>
          <span>
            {t('{{count, number}} pages', { count: pages })}, <TimeText at={createdAt} timeZone={timezone} />
            {packId === dispute.submittedPackId && `, ${t('submitted')}`}
          </span>
          <Link component="button" type="button" onClick={() => downloading.mutate({ packId, format: 'pdf' })}>
            {t('Download PDF')}
          </Link>
          <Link component="button" type="button" onClick={() => downloading.mutate({ packId, format: 'zip' })}>
            {t('Download archive')}
          </Link>
        </Box>
      ))}
    </Box>
  );
}
