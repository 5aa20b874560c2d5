import { createHash } from 'node:crypto';
import type { Read } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import { readDocument } from '#core/platform/received-files';
import { auditDispute } from './apply.ts';
import { findDispute, withLockedDispute } from './change.ts';
import type { EvidenceItem } from './checklist.ts';
import type { Dependencies } from './dependencies.ts';
import type { DisputeAttachment } from './records.ts';
import { DISPUTE_ATTACHMENTS, type DisputeAttachmentRow, type DisputeRow } from './schema.ts';
import { awaitsResponse, isActive } from './steps.ts';

/** Largest attachment, and the largest number of attachments of a dispute. */
export const ATTACHMENT_BYTES_MAX = 4 * 1_048_576;
const ATTACHMENTS_MAX = 20;

export interface NewAttachment {
  readonly item: EvidenceItem;
  readonly name: string;
  readonly content: Buffer;
}

export const purposeOf = (disputeId: string) => `dispute/${disputeId}`;

/** Adds a document to an active dispute, sealed with the key of the tenant. @throws ServiceError VALIDATION_ERROR, RESOURCE_CONFLICT. */
export async function addAttachment(
  deps: Dependencies,
  actor: Actor,
  disputeId: string,
  { item, name, content }: NewAttachment,
): Promise<DisputeAttachment> {
  await findDispute(deps, actor, disputeId);
  const { type: mediaType, pages, pdf } = await readDocument(actor.tenantId, content);
  const seal = (bytes: Uint8Array) => deps.secrets.seal(actor.tenantId, purposeOf(disputeId), Buffer.from(bytes).toString('base64'));
  const [sealed, sealed_pages] = await Promise.all([seal(content), seal(pdf)]);
  return withLockedDispute(deps, actor, disputeId, async (work, { row, payment }) => {
    await checkAttachable(work, row);
    const attachment: DisputeAttachmentRow = {
      tenant_id: actor.tenantId,
      id: newId('dat', payment.now),
      dispute_id: disputeId,
      item,
      name,
      media_type: mediaType,
      bytes: content.length,
      pages,
      sha256: createHash('sha256').update(content).digest('hex'),
      sealed,
      sealed_pages,
      created_by: actor.name,
      created_at: isoTime(payment.now),
    };
    work.insert(DISPUTE_ATTACHMENTS, attachment);
    const shown = toAttachment(attachment);
    auditDispute(deps, work, actor, 'attachment_added', row, row, { attachment: { name, item, sha256: shown.sha256 } });
    work.afterCommit(() => deps.changed(actor.tenantId, 'disputes', row.merchant_id));
    return shown;
  });
}

/** Checks that a document can be added to a dispute. @throws ServiceError RESOURCE_CONFLICT. */
export async function checkAttachable(read: Read, { id, status }: DisputeRow): Promise<void> {
  if (!isActive(status)) throw conflict('This dispute is concluded.', status);
  const existing = await read.find(DISPUTE_ATTACHMENTS, { dispute_id: id });
  if (existing.length >= ATTACHMENTS_MAX) throw conflict(`A dispute has at most ${ATTACHMENTS_MAX} attachments.`, 'too_many_attachments');
}

/**
 * Removes a document while the dispute awaits a response. Packs that contain it stay as they were created. @throws ServiceError NOT_FOUND;
 * RESOURCE_CONFLICT after the evidence was submitted.
 */
export async function removeAttachment(
  deps: Dependencies,
  actor: Actor,
  disputeId: string,
  attachmentId: string,
): Promise<DisputeAttachment> {
  await findDispute(deps, actor, disputeId);
  return withLockedDispute(deps, actor, disputeId, async (work, { row }) => {
    const attachment = await work.one(DISPUTE_ATTACHMENTS, { id: attachmentId, dispute_id: disputeId });
    if (!attachment)
      throw new ServiceError('NOT_FOUND', `There is no document ${attachmentId.slice(0, 60)} of this dispute.`, {
        details: { attachmentId },
      });
    if (!awaitsResponse(row.status))
      throw conflict(
        'Documents can be removed only while the dispute awaits a response: they may be part of what was submitted.',
        row.status,
      );
    await work.delete(DISPUTE_ATTACHMENTS, { id: attachmentId });
    const { name, item, sha256 } = attachment;
    auditDispute(deps, work, actor, 'attachment_removed', row, row, { attachment: { name, item, sha256 } });
    work.afterCommit(() => deps.changed(actor.tenantId, 'disputes', row.merchant_id));
    return toAttachment(attachment);
  });
}

const conflict = (message: string, reason: string) => new ServiceError('RESOURCE_CONFLICT', message, { details: { reason } });

export function toAttachment(row: DisputeAttachmentRow): DisputeAttachment {
  return {
    attachmentId: row.id,
    item: row.item,
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    pages: row.pages,
    sha256: row.sha256,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}

/** Returns the bytes of an attachment, and its pages as a PDF. */
export async function contentOf(
  deps: Dependencies,
  row: DisputeAttachmentRow,
): Promise<{ readonly original: Buffer; readonly pdf: Buffer }> {
  const open = async (sealed: string) => Buffer.from(await deps.secrets.open(row.tenant_id, purposeOf(row.dispute_id), sealed), 'base64');
  const [original, pdf] = await Promise.all([open(row.sealed), open(row.sealed_pages)]);
  return { original, pdf };
}
