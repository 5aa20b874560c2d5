import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { GeneratedFile } from '#core/platform/documents';
import { auditDispute } from '../apply.ts';
import { contentOf, purposeOf } from '../attachments.ts';
import { findDispute, withLockedDispute } from '../change.ts';
import { EVIDENCE_LABELS, type OwnDocument } from '../checklist.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ChecklistEntry, Evidence, EvidencePack } from '../records.ts';
import { DISPUTE_PACKS, type DisputePackRow, type DisputeRow } from '../schema.ts';
import { type ArchiveFile, createArchive } from './archive.ts';
import { checklistOf } from './assess.ts';
import { attachmentRows, type EvidenceFacts, gatherFacts } from './facts.ts';
import { draftLetter } from './letter.ts';
import { type EvidenceExhibit, evidencePdf } from './pdf.ts';

const PARAGRAPH = '\n\n';

/** Returns the present evidence of a dispute. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function evidenceOf(deps: Dependencies, actor: Actor, disputeId: string): Promise<Evidence> {
  const row = await findDispute(deps, actor, disputeId);
  const facts = await gatherFacts(deps, row);
  const checklist = checklistOf(facts);
  const packs = await deps.database.read(actor.tenantId).find(DISPUTE_PACKS, { dispute_id: disputeId }, { orderBy: [['id', 'desc']] });
  return {
    checklist,
    letter: draftLetter(facts, checklist).join(PARAGRAPH),
    attachments: facts.attachments,
    documents: facts.documents.map((document) => ({ document, title: titleOf(document, facts) })),
    packs: packs.map(toPack),
  };
}

/** Content of a pack. Absent values mean the draft of the letter, and all documents. */
export interface PackOptions {
  readonly letter?: string;
  /** Attachments to include. */
  readonly attachmentIds?: readonly string[];
  /** Documents of Paydesk to include. */
  readonly documents?: readonly OwnDocument[];
}

const titleOf = (document: OwnDocument, { invoice }: EvidenceFacts) =>
  document === 'receipt' ? 'Receipt' : `Invoice ${invoice?.number ?? ''}`;

/** Limits the facts to the chosen documents. @throws ServiceError VALIDATION_ERROR for a document that the dispute does not have. */
function chosenFacts(all: EvidenceFacts, { attachmentIds, documents }: PackOptions): EvidenceFacts {
  const known = new Set(all.attachments.map((attachment) => attachment.attachmentId));
  const unknown = attachmentIds?.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new ServiceError('VALIDATION_ERROR', `This dispute has no document ${unknown.slice(0, 60)}.`, { field: 'attachmentIds' });
  const absent = documents?.find((document) => !all.documents.includes(document));
  if (absent !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'The payment was not for an invoice, so there is none to include.', { field: 'documents' });
  return {
    ...all,
    attachments: all.attachments.filter(({ attachmentId }) => attachmentIds?.includes(attachmentId) ?? true),
    documents: all.documents.filter((document) => documents?.includes(document) ?? true),
  };
}

/**
 * Creates a pack of the present evidence and stores it encrypted. @throws ServiceError RESOURCE_CONFLICT if the pack exceeds the limits of
 * acquirers; VALIDATION_ERROR for an unknown document.
 */
export async function createPack(deps: Dependencies, actor: Actor, disputeId: string, options: PackOptions = {}): Promise<EvidencePack> {
  const row = await findDispute(deps, actor, disputeId);
  const { letter } = options;
  const facts = chosenFacts(await gatherFacts(deps, row), options);
  const checklist = checklistOf(facts);
  const paragraphs = letter === undefined ? draftLetter(facts, checklist) : letter.split(/\n{2,}/);
  const exhibits = await exhibitsOf(deps, row, facts);
  const pdf = await evidencePdf(actor.tenantId, facts, paragraphs, exhibits);
  const archive = createArchive(archiveFiles(facts, checklist, paragraphs, exhibits, pdf.bytes), facts.audit, {
    disputeId,
    transactionId: row.transaction_id,
  });
  const seal = (content: Buffer) => deps.secrets.seal(actor.tenantId, purposeOf(disputeId), content.toString('base64'));
  const [sealed_pdf, sealed_archive] = await Promise.all([seal(pdf.bytes), seal(archive.bytes)]);
  return withLockedDispute(deps, actor, disputeId, async (work, { row: current, payment }) => {
    const pack: DisputePackRow = {
      tenant_id: actor.tenantId,
      id: newId('dpk', payment.now),
      dispute_id: disputeId,
      pages: pdf.pages,
      pdf_bytes: pdf.bytes.length,
      archive_bytes: archive.bytes.length,
      manifest_sha256: archive.manifestSha256,
      sealed_pdf,
      sealed_archive,
      created_by: actor.name,
      created_at: isoTime(payment.now),
    };
    work.insert(DISPUTE_PACKS, pack);
    auditDispute(deps, work, actor, 'evidence_created', current, current, { packId: pack.id, manifestSha256: archive.manifestSha256 });
    work.afterCommit(() => deps.changed(actor.tenantId, 'disputes', current.merchant_id));
    return toPack(pack);
  });
}

/** Returns a file of a pack. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function packFile(
  deps: Dependencies,
  actor: Actor,
  disputeId: string,
  packId: string,
  format: 'zip' | 'pdf',
): Promise<GeneratedFile> {
  await findDispute(deps, actor, disputeId);
  const pack = await findPack(deps, actor.tenantId, disputeId, packId);
  const sealed = format === 'pdf' ? pack.sealed_pdf : pack.sealed_archive;
  return {
    filename: `${disputeId}.${format}`,
    contentType: format === 'pdf' ? 'application/pdf' : 'application/zip',
    content: Buffer.from(await deps.secrets.open(actor.tenantId, purposeOf(disputeId), sealed), 'base64'),
  };
}

async function findPack(deps: Dependencies, tenantId: string, disputeId: string, packId: string): Promise<DisputePackRow> {
  const pack = await deps.database.read(tenantId).one(DISPUTE_PACKS, { id: packId, dispute_id: disputeId });
  if (pack) return pack;
  throw new ServiceError('NOT_FOUND', `There is no evidence pack ${packId.slice(0, 60)} of this dispute.`, { details: { packId } });
}

/** Returns the documents behind the letter: receipt, invoice and attachments. */
async function exhibitsOf(deps: Dependencies, row: DisputeRow, facts: EvidenceFacts): Promise<EvidenceExhibit[]> {
  const { transaction, invoice, attachments, documents } = facts;
  const { tenant_id: tenantId } = row;
  const own = (title: string, pdf: Buffer): EvidenceExhibit => ({ title, mediaType: 'application/pdf', original: pdf, pdf });
  const included = new Set(attachments.map(({ attachmentId }) => attachmentId));
  const attached = (await attachmentRows(deps, row)).filter(({ id }) => included.has(id));
  return [
    ...(await Promise.all(
      documents.map(async (document) =>
        own(
          titleOf(document, facts),
          document === 'receipt'
            ? await deps.sources.receiptPdf(tenantId, transaction.transactionId)
            : await deps.sources.invoicePdf(tenantId, invoice?.invoiceId ?? ''),
        ),
      ),
    )),
    ...(await Promise.all(
      attached.map(async (each) => ({
        title: `${EVIDENCE_LABELS[each.item]} (${each.name})`,
        mediaType: each.media_type,
        ...(await contentOf(deps, each)),
      })),
    )),
  ];
}

const EXTENSIONS: Readonly<Record<EvidenceExhibit['mediaType'], string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

function archiveFiles(
  facts: EvidenceFacts,
  checklist: readonly ChecklistEntry[],
  letter: readonly string[],
  exhibits: readonly EvidenceExhibit[],
  pdf: Buffer,
): ArchiveFile[] {
  const { audit: _, transaction, traces, ...rest } = facts;
  const { token: __, tenantId: ___, ...shown } = transaction;
  return [
    { name: 'evidence.pdf', content: pdf },
    { name: 'letter.txt', content: `${letter.join(PARAGRAPH)}\n` },
    {
      name: 'facts.json',
      content: `${JSON.stringify({ ...rest, transaction: shown, payerContext: traces.context, checklist }, null, 2)}\n`,
    },
    ...exhibits.map(({ mediaType, original }, index) => ({
      name: `exhibits/exhibit-${index + 2}.${EXTENSIONS[mediaType]}`,
      content: original,
    })),
  ];
}

function toPack(row: DisputePackRow): EvidencePack {
  return {
    packId: row.id,
    pages: row.pages,
    pdfBytes: row.pdf_bytes,
    archiveBytes: row.archive_bytes,
    manifestSha256: row.manifest_sha256,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
