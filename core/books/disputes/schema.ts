import { dueColumns, type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';
import type { TenantTime } from '#core/kernel';
import type { DocumentType } from '#core/platform/received-files';
import type { DisputeScheme } from '#shared/dispute-reasons';
import type { EvidenceItem } from './checklist.ts';
import type { DisputeStage, DisputeStatus } from './steps.ts';

/** Origin of a dispute: a person or program, the processor's report, or the sandbox. */
export const DISPUTE_ORIGINS = ['manual', 'processor', 'sandbox'] as const;
export type DisputeOrigin = (typeof DISPUTE_ORIGINS)[number];

/** Disputed payments. `due_ms` is the time of the next reminder before the due date, in the tenant's time. */
export const DISPUTES = table(
  'disputes',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    transaction_id: text,
    status: text.of<DisputeStatus>(),
    stage: text.of<DisputeStage>(),
    scheme: text.of<DisputeScheme>(),
    /** Code of the card scheme, such as 10.4; null if the processor did not report one. */
    reason_code: text.optional,
    /** Reason as it was reported or typed. */
    reason: text,
    amount_minor: integer,
    currency: text,
    /** Part of the amount that is withheld from the merchant at present. */
    withheld_minor: integer,
    /** Part of the amount that the last decision returned to the merchant. */
    returned_minor: integer,
    fees_minor: integer,
    /** Last day to respond in the merchant's time zone, YYYY-MM-DD. */
    due_date: text,
    origin: text.of<DisputeOrigin>(),
    /** The processor's ID of the case. */
    processor_case: text.optional,
    notes: text.optional,
    created_by: text,
    submitted_at: text.optional,
    /** Evidence pack that was submitted last. */
    submitted_pack_id: text.optional,
    concluded_at: text.optional,
    ...dueColumns<TenantTime>(),
    created_at: text,
    updated_at: text,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'disputes_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'disputes_by_transaction', columns: ['tenant_id', 'transaction_id', 'id'] },
      { name: 'disputes_by_due_date', columns: ['tenant_id', 'status', 'due_date', 'id'] },
      { name: 'disputes_by_amount', columns: ['tenant_id', 'merchant_id', 'amount_minor', 'id'] },
      { name: 'disputes_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type DisputeRow = RowOf<typeof DISPUTES>;

export const MOVEMENT_KINDS = ['chargeback', 'chargeback_reversed', 'dispute_fee'] as const;
export type DisputeMovementKind = (typeof MOVEMENT_KINDS)[number];

/** Money that a dispute moved. Its ledger transfer has the same ID. A settlement includes it like a refund. */
export const DISPUTE_MOVEMENTS = table(
  'dispute_movements',
  {
    tenant_id: text,
    id: text,
    dispute_id: text,
    transaction_id: text,
    merchant_id: text,
    currency: text,
    kind: text.of<DisputeMovementKind>(),
    /** Effect on the merchant's balance: negative for a chargeback and a fee. */
    amount_minor: integer,
    at: text,
    settled_at: text.optional,
    settlement_date: text.optional,
    settlement_id: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'dispute_movements_by_dispute', columns: ['tenant_id', 'dispute_id', 'id'] },
      { name: 'dispute_movements_unsettled', columns: ['tenant_id', 'merchant_id', 'at'], where: 'settled_at IS NULL' },
      { name: 'dispute_movements_by_settlement', columns: ['tenant_id', 'settlement_id', 'id'], where: 'settlement_id IS NOT NULL' },
    ],
  },
);

export type DisputeMovementRow = RowOf<typeof DISPUTE_MOVEMENTS>;

export const SETTLE_MOVEMENT: GuardedUpdate<DisputeMovementRow> = {
  table: DISPUTE_MOVEMENTS,
  where: ['tenant_id', 'id'],
  set: ['settled_at', 'settlement_date', 'settlement_id'],
  guard: 'settled_at IS NULL',
};

/** Documents that people added to disputes. */
export const DISPUTE_ATTACHMENTS = table(
  'dispute_attachments',
  {
    tenant_id: text,
    id: text,
    dispute_id: text,
    item: text.of<EvidenceItem>(),
    name: text,
    media_type: text.of<DocumentType>(),
    bytes: integer,
    pages: integer,
    /** Of the bytes of the document. */
    sha256: text,
    /** The document, encrypted. */
    sealed: text,
    /** Pages of the document as a PDF that was read safely, encrypted. */
    sealed_pages: text,
    created_by: text,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'dispute_attachments_by_dispute', columns: ['tenant_id', 'dispute_id', 'id'] }] },
);

export type DisputeAttachmentRow = RowOf<typeof DISPUTE_ATTACHMENTS>;

/** Evidence packs as they were created: the PDF for the acquirer and the archive. */
export const DISPUTE_PACKS = table(
  'dispute_packs',
  {
    tenant_id: text,
    id: text,
    dispute_id: text,
    pages: integer,
    pdf_bytes: integer,
    archive_bytes: integer,
    /** Of the manifest of the archive, which contains the hash of every file. */
    manifest_sha256: text,
    /** The PDF and the archive, encrypted. */
    sealed_pdf: text,
    sealed_archive: text,
    created_by: text,
    created_at: text,
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'dispute_packs_by_dispute', columns: ['tenant_id', 'dispute_id', 'id'] }] },
);

export type DisputePackRow = RowOf<typeof DISPUTE_PACKS>;
